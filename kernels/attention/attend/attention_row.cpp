#include "kernels/attention/attend/attention_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/attention/attend/dropout.hpp"
#include "kernels/attention/attend/key_range.hpp"

namespace attest::attention {

template <typename T>
void AttentionRow::find_keys(const RowArguments<T>& in, Index b, Index h, Index i) {
  const Index queries = in.q.extent(2), count = in.k.extent(2);
  const Tensor<T>& bias = in.options.bias.dense;
  const KeyRange range = key_range(in.options.mask, b, i, queries, count);
  diagonal = range.diagonal;
  keys.clear();
  for (Index j = range.first; j < range.last; ++j) {
    if (!is_shown(in.options.mask, b, h, i, j, queries, count)) continue;
    if (!bias.empty() && bias.data()[bias_entry(bias.shape(), b, h, i, j)] == -std::numeric_limits<T>::infinity())
      continue;
    keys.push_back(j);
  }
}

template <typename T>
void AttentionRow::form_logits(const RowArguments<T>& in, Index b, Index h, Index i) {
  const AttendOptions<T>& options = in.options;
  const Tensor<T>& bias = options.bias.dense;
  const Index dim = in.q.extent(3), key_head = in.key_head(h);
  const auto scale = static_cast<double>(options.scale);
  const double slope =
      options.bias.slopes.empty() ? 0 : static_cast<double>(options.bias.slopes[static_cast<std::size_t>(h)]);
  weights.resize(keys.size());
  through_cap.resize(options.softcap > 0 ? keys.size() : 0);
  // The scale goes to the query first, as in the tiles: the product of two large factors overflows later.
  std::vector<double> query(static_cast<std::size_t>(dim));
  for (Index d = 0; d < dim; ++d) query[static_cast<std::size_t>(d)] = scale * static_cast<double>(in.q.at(b, h, i, d));
  for (std::size_t n = 0; n < keys.size(); ++n) {
    double logit = dot(query.data(), &in.k.at(b, key_head, keys[n], 0), dim);
    if (options.softcap > 0) {
      const double bounded = std::tanh(logit / options.softcap);
      logit = options.softcap * bounded;
      through_cap[n] = 1 - bounded * bounded;
    }
    if (slope != 0) logit -= slope * static_cast<double>(std::abs(diagonal - keys[n]));
    if (!bias.empty()) logit += static_cast<double>(bias.data()[bias_entry(bias.shape(), b, h, i, keys[n])]);
    weights[n] = logit;
  }
}

void AttentionRow::normalise(const double* sink_logit) {
  largest = sink_logit != nullptr ? *sink_logit : -std::numeric_limits<double>::infinity();
  for (const double logit : weights) largest = std::max(largest, logit);
  normaliser = sink = sink_logit != nullptr ? std::exp(*sink_logit - largest) : 0;
  for (double& weight : weights) normaliser += weight = std::exp(weight - largest);
  for (double& weight : weights) weight /= normaliser;
  if (sink_logit != nullptr) sink /= normaliser;
}

template <typename T>
void AttentionRow::fill(const RowArguments<T>& in, Index b, Index h, Index i) {
  const AttendOptions<T>& options = in.options;
  const bool has_sink = !options.sinks.empty();
  find_keys(in, b, h, i);
  empty = keys.empty() && !has_sink;
  uniform = empty && options.empty_rows == EmptyRows::mean;
  sink = normaliser = 0;
  largest = -std::numeric_limits<double>::infinity();
  if (uniform) {
    keys.resize(static_cast<std::size_t>(in.k.extent(2)));
    std::iota(keys.begin(), keys.end(), Index{0});
    weights.assign(keys.size(), 1 / static_cast<double>(keys.size()));
    through_cap.clear();
  } else {
    form_logits(in, b, h, i);
    const double sink_logit = has_sink ? static_cast<double>(options.sinks[static_cast<std::size_t>(h)]) : 0;
    if (!empty) normalise(has_sink ? &sink_logit : nullptr);
  }
  factors.assign(keys.size(), 1.0);
  if (options.dropout.rate > 0) {
    const std::uint32_t threshold = dropout_threshold(options.dropout.rate);
    for (std::size_t n = 0; n < keys.size(); ++n)
      factors[n] =
          survives_dropout(options.dropout.seed, threshold, b, h, i, keys[n]) ? 1 / (1 - options.dropout.rate) : 0;
  }
  if (!options.weight_factors.empty())
    for (std::size_t n = 0; n < keys.size(); ++n)
      factors[n] *= static_cast<double>(options.weight_factors.at(b, h, i, keys[n]));
}

template void AttentionRow::fill(const RowArguments<float>&, Index, Index, Index);
template void AttentionRow::fill(const RowArguments<double>&, Index, Index, Index);

}  // namespace attest::attention
