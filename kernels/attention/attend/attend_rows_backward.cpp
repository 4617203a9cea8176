#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/attention/attend/attend_rows.hpp"
#include "kernels/attention/attend/attention_row.hpp"
#include "kernels/attention/attend/key_range.hpp"
#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

/// The gradients of one row's weights and logits.
struct RowGradients {
  std::vector<double> products;  ///< dout_i . v_j
  std::vector<double> logits;    ///< of the logits after cap, bias and slopes
  double sink = 0;

  template <typename T>
  void fill(const RowArguments<T>& in, const AttentionRow& row, Index b, Index h, Index i, const Tensor<T>& dout,
            const Tensor<T>* dlse) {
    const Index heads = in.q.extent(1), queries = in.q.extent(2), value_dim = in.v.extent(3);
    products.resize(row.keys.size());
    logits.assign(row.keys.size(), 0.0);
    double mean = 0;
    for (std::size_t n = 0; n < row.keys.size(); ++n) {
      // A dropped value has no part in the output; but what its factor is multiplied with is wanted where factors are
      // an input.
      const bool read = row.factors[n] != 0 || !in.options.weight_factors.empty();
      products[n] = read ? dot(&dout.at(b, h, i, 0), &in.v.at(b, in.key_head(h), row.keys[n], 0), value_dim) : 0;
      mean += row.weights[n] * row.factors[n] * products[n];
    }
    const double of_lse =
        dlse == nullptr || row.empty ? 0 : static_cast<double>(dlse->data()[(b * heads + h) * queries + i]);
    sink = row.sink * (of_lse - mean);
    if (row.uniform) return;
    for (std::size_t n = 0; n < row.keys.size(); ++n)
      logits[n] = row.weights[n] * (row.factors[n] * products[n] - mean + of_lse);
  }
};

template <typename T>
struct Backward {
  RowArguments<T> in;
  const Tensor<T>& dout;
  const Tensor<T>* dlse;
  AttendGradients<T>& gradients;
  std::vector<double> slope_parts, sink_parts;  // [B][H]

  /// Everything but the gradient of the bias, of the heads that read one head of keys.
  void add_group(Index b, Index key_head) {
    const Index group = in.q.extent(1) / in.k.extent(1), keys = in.k.extent(2), dim = in.k.extent(3),
                value_dim = in.v.extent(3);
    std::vector<double> dk(static_cast<std::size_t>(keys * dim), 0.0),
        dv(static_cast<std::size_t>(keys * value_dim), 0.0);
    AttentionRow row;
    RowGradients of_row;
    for (Index h = key_head * group; h < (key_head + 1) * group; ++h)
      for (Index i = 0; i < in.q.extent(2); ++i) {
        row.fill(in, b, h, i);
        if (row.empty && !row.uniform) continue;
        of_row.fill(in, row, b, h, i, dout, dlse);
        add_row(row, of_row, b, h, i, dk, dv);
      }
    std::transform(dk.begin(), dk.end(), &gradients.k.at(b, key_head, 0, 0),
                   [](double x) { return static_cast<T>(x); });
    std::transform(dv.begin(), dv.end(), &gradients.v.at(b, key_head, 0, 0),
                   [](double x) { return static_cast<T>(x); });
  }

  void add_row(const AttentionRow& row, const RowGradients& of_row, Index b, Index h, Index i, std::vector<double>& dk,
               std::vector<double>& dv) {
    const Index dim = in.k.extent(3), value_dim = in.v.extent(3), key_head = in.key_head(h);
    const auto scale = static_cast<double>(in.options.scale);
    const auto head = static_cast<std::size_t>(b * in.q.extent(1) + h);
    std::vector<double> dq(static_cast<std::size_t>(dim), 0.0);
    const T *const q = &in.q.at(b, h, i, 0), *const d_out = &dout.at(b, h, i, 0);
    for (std::size_t n = 0; n < row.keys.size(); ++n) {
      const Index j = row.keys[n];
      const double weight = row.weights[n] * row.factors[n];
      double* const value = dv.data() + j * value_dim;
      for (Index d = 0; d < value_dim; ++d) value[d] += weight * static_cast<double>(d_out[d]);
      if (!gradients.weight_factors.empty())
        gradients.weight_factors.at(b, h, i, j) = static_cast<T>(row.weights[n] * of_row.products[n]);
      if (row.uniform) continue;
      slope_parts[head] -= of_row.logits[n] * static_cast<double>(std::abs(row.diagonal - j));
      const double product = scale * of_row.logits[n] * (row.through_cap.empty() ? 1 : row.through_cap[n]);
      const T* const k = &in.k.at(b, key_head, j, 0);
      double* const key = dk.data() + j * dim;
      for (Index d = 0; d < dim; ++d) {
        dq[static_cast<std::size_t>(d)] += product * static_cast<double>(k[d]);
        key[d] += product * static_cast<double>(q[d]);
      }
    }
    sink_parts[head] += of_row.sink;
    std::transform(dq.begin(), dq.end(), &gradients.q.at(b, h, i, 0), [](double x) { return static_cast<T>(x); });
  }

  /// The gradient of the bias for query i: a sum over sequences and heads, in order.
  void add_bias_row(Index i) {
    const Shape& shape = gradients.bias.shape();
    const Index keys = in.k.extent(2), planes = gradients.bias.size() / (in.q.extent(2) * keys);
    std::vector<double> sums(static_cast<std::size_t>(planes * keys), 0.0);
    const auto place = [&](Index b, Index h, Index j) {
      // Of the entry's plane and key, its query being i.
      const Index entry = bias_entry(shape, b, h, i, j);
      return static_cast<std::size_t>(entry / (in.q.extent(2) * keys) * keys + j);
    };
    AttentionRow row;
    RowGradients of_row;
    for (Index b = 0; b < in.q.extent(0); ++b)
      for (Index h = 0; h < in.q.extent(1); ++h) {
        row.fill(in, b, h, i);
        if (row.empty) continue;
        of_row.fill(in, row, b, h, i, dout, dlse);
        for (std::size_t n = 0; n < row.keys.size(); ++n) sums[place(b, h, row.keys[n])] += of_row.logits[n];
      }
    for (Index plane = 0; plane < planes; ++plane)
      for (Index j = 0; j < keys; ++j)
        gradients.bias.data()[(plane * in.q.extent(2) + i) * keys + j] =
            static_cast<T>(sums[static_cast<std::size_t>(plane * keys + j)]);
  }

  /// [H] from [B][H], in order.
  Tensor<T> summed(const std::vector<double>& parts) const {
    const Index heads = in.q.extent(1);
    Tensor<T> result({heads});
    for (Index h = 0; h < heads; ++h) {
      double sum = 0;
      for (Index b = 0; b < in.q.extent(0); ++b) sum += parts[static_cast<std::size_t>(b * heads + h)];
      result.data()[h] = static_cast<T>(sum);
    }
    return result;
  }
};

}  // namespace

template <typename T>
AttendGradients<T> attend_rows_backward(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                        const AttendOptions<T>& options, const Tensor<T>& dout, const Tensor<T>* dlse) {
  AttendGradients<T> gradients{Tensor<T>(q.shape()), Tensor<T>(k.shape()), Tensor<T>(v.shape()),
                               Tensor<T>(options.bias.dense.shape())};
  gradients.weight_factors = Tensor<T>(options.weight_factors.shape());
  const std::vector<double> no_parts(static_cast<std::size_t>(q.extent(0) * q.extent(1)), 0.0);
  Backward<T> backward{{q, k, v, options}, dout, dlse, gradients, no_parts, no_parts};
  parallel::for_each_block(k.extent(0) * k.extent(1), options.threads,
                           [&](Index task) { backward.add_group(task / k.extent(1), task % k.extent(1)); });
  if (!gradients.bias.empty())
    parallel::for_each_block(q.extent(2), options.threads, [&](Index i) { backward.add_bias_row(i); });
  if (!options.bias.slopes.empty()) gradients.slopes = backward.summed(backward.slope_parts);
  if (!options.sinks.empty()) gradients.sinks = backward.summed(backward.sink_parts);
  return gradients;
}

#define ATTEST_INSTANTIATE(T)                                                                            \
  template AttendGradients<T> attend_rows_backward(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                   const AttendOptions<T>&, const Tensor<T>&, const Tensor<T>*);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
