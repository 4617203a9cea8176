#include "kernels/attention/attend/attend_problem.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "kernels/attention/attend/attend_rows.hpp"

namespace attest::attention {
namespace {

std::string in_words(const Shape& shape) {
  std::string words;
  for (const Index extent : shape) words += fmt::format("[{}]", extent);
  return words.empty() ? "no axis" : words;
}

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument("attend: " + sentence); }

void require_attention_array(const char* name, const Shape& shape) {
  if (shape.size() != 4)
    refuse(fmt::format("{} has shape {}, but needs [batch][head][token][feature]", name, in_words(shape)));
  for (const Index extent : shape)
    if (extent < 1) refuse(fmt::format("{} has shape {}: an extent is zero", name, in_words(shape)));
}

}  // namespace

void require_shape(const char* name, const Shape& shape, const Shape& expected) {
  if (shape != expected)
    refuse(fmt::format("{} has shape {}, but {} fits the other arguments", name, in_words(shape), in_words(expected)));
}

namespace {

// `starts` of packed sequences over `tokens` tokens.
void require_starts(const char* name, const std::vector<Index>& starts, Index tokens, const char* what) {
  if (starts.size() < 2 || starts.front() != 0 || starts.back() != tokens ||
      !std::is_sorted(starts.begin(), starts.end()))
    refuse(fmt::format("{} must rise from 0 to the {} {} there are, one entry more than there are packed sequences",
                       name, tokens, what));
}

void require_mask(const Mask& mask, Index batch, Index heads, Index queries, Index keys) {
  if (const auto& lengths = mask.key_lengths; !lengths.empty()) {
    require_shape("key_lengths", {static_cast<Index>(lengths.size())}, {batch});
    for (const Index length : lengths)
      if (length < 0 || length > keys) refuse(fmt::format("a key length is {}, but there are {} keys", length, keys));
  }
  if (!mask.visible.empty()) {
    const Index sequences = mask.visible_sequences, masked_heads = mask.visible_heads;
    if ((sequences != 1 && sequences != batch) || (masked_heads != 1 && masked_heads != heads))
      refuse(fmt::format("visible is for {} sequences and {} heads, but there are {} and {}", sequences, masked_heads,
                         batch, heads));
    if (static_cast<Index>(mask.visible.size()) != sequences * masked_heads * queries * keys)
      refuse(fmt::format("visible has {} entries, but there are {} queries and {} keys", mask.visible.size(), queries,
                         keys));
  }
  if (mask.window_left < -1 || mask.window_right < -1)
    refuse(fmt::format("the window reaches {} keys back and {} ahead, but must reach -1 (all) or more",
                       mask.window_left, mask.window_right));
  if (mask.query_starts.size() != mask.key_starts.size())
    refuse(fmt::format("query_starts has {} entries and key_starts {}, but both need one per packed sequence and one",
                       mask.query_starts.size(), mask.key_starts.size()));
  if (!mask.query_starts.empty()) {
    require_starts("query_starts", mask.query_starts, queries, "queries");
    require_starts("key_starts", mask.key_starts, keys, "keys");
  }
}

void require_bias_shape(const Shape& bias, Index batch, Index heads, Index queries, Index keys) {
  const Shape each_head{heads, queries, keys};
  if (bias.size() != 4) return require_shape("bias", bias, each_head);
  require_shape("bias", bias, {bias[0] == 1 ? 1 : batch, bias[1] == 1 ? 1 : heads, queries, keys});
}

template <typename T>
void require_options(const AttendOptions<T>& options, Index batch, Index heads, Index queries, Index keys) {
  if (!std::isfinite(options.scale)) refuse(fmt::format("scale is {}, but must be finite", options.scale));
  if (!(options.dropout.rate >= 0 && options.dropout.rate < 1))
    refuse(fmt::format("dropout rate is {}, but must be in [0, 1)", options.dropout.rate));
  if (!(options.softcap >= 0 && std::isfinite(options.softcap)))
    refuse(fmt::format("softcap is {}, but must be 0 (none) or a positive number", options.softcap));
  require_mask(options.mask, batch, heads, queries, keys);
  if (const auto& slopes = options.bias.slopes; !slopes.empty())
    require_shape("slopes", {static_cast<Index>(slopes.size())}, {heads});
  if (!options.sinks.empty()) require_shape("sinks", {static_cast<Index>(options.sinks.size())}, {heads});
  if (!options.bias.dense.empty()) require_bias_shape(options.bias.dense.shape(), batch, heads, queries, keys);
  if (!options.weight_factors.empty())
    require_shape("weight_factors", options.weight_factors.shape(), {batch, heads, queries, keys});
}

/// A window's reach, -1 for all, where sums with positions cannot overflow.
Index within(Index reach, Index most) { return std::min(reach, most); }

}  // namespace

template <typename T>
AttendProblem<T> checked_problem(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                 const AttendOptions<T>& options) {
  require_attention_array("q", q.shape());
  require_attention_array("k", k.shape());
  require_attention_array("v", v.shape());
  const Index batch = q.extent(0), heads = q.extent(1), queries = q.extent(2), keys = k.extent(2), dim = q.extent(3);
  const Index key_heads = heads % k.extent(1) == 0 ? k.extent(1) : heads;
  require_shape("k", k.shape(), {batch, key_heads, keys, dim});
  require_shape("v", v.shape(), {batch, key_heads, keys, v.extent(3)});
  require_options(options, batch, heads, queries, keys);
  if (options.device == Device::cuda && !runs_in_tiles(q.shape(), k.shape(), options))
    refuse(
        "grouped heads, windows, softcap, sinks, packed sequences, masks per sequence or head and the like run on the "
        "processor alone; leave cuda out");

  AttendProblem<T> problem{
      .batch = batch,
      .heads = heads,
      .queries = queries,
      .keys = keys,
      .dim = dim,
      .value_dim = v.extent(3),
      .q = heads_view(q),
      .k = heads_view(k),
      .v = heads_view(v),
      .scale = options.scale,
      .mask = {.causal = options.mask.causal},
      .band = {within(options.mask.window_left, queries + keys), within(options.mask.window_right, queries + keys)},
      .dropout = options.dropout,
      .threads = options.threads};
  if (!options.mask.key_lengths.empty()) problem.mask.key_lengths = options.mask.key_lengths.data();
  if (!options.mask.visible.empty()) problem.mask.visible = options.mask.visible.data();
  if (!options.bias.slopes.empty()) problem.slopes = options.bias.slopes.data();
  if (!options.bias.dense.empty()) problem.dense_bias = options.bias.dense.data();
  return problem;
}

template <typename T>
void require_backward_shapes(const AttendProblem<T>& p, const Attended<T>& attended, const Tensor<T>& dout) {
  const Shape rows{p.batch, p.heads, p.queries}, out_shape{p.batch, p.heads, p.queries, p.value_dim};
  require_shape("dout", dout.shape(), out_shape);
  require_shape("attended.out", attended.out.shape(), out_shape);
  require_shape("attended.largest", attended.largest.shape(), rows);
  require_shape("attended.normaliser", attended.normaliser.shape(), rows);
}

template AttendProblem<float> checked_problem(const Tensor<float>&, const Tensor<float>&, const Tensor<float>&,
                                              const AttendOptions<float>&);
template AttendProblem<double> checked_problem(const Tensor<double>&, const Tensor<double>&, const Tensor<double>&,
                                               const AttendOptions<double>&);
template void require_backward_shapes(const AttendProblem<float>&, const Attended<float>&, const Tensor<float>&);
template void require_backward_shapes(const AttendProblem<double>&, const Attended<double>&, const Tensor<double>&);

}  // namespace attest::attention
