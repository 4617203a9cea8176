#include "kernels/attention/attend/attend_problem.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

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

template <typename T>
AttendProblem<T> checked_problem(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                 const AttendOptions<T>& options) {
  require_attention_array("q", q.shape());
  require_attention_array("k", k.shape());
  require_attention_array("v", v.shape());
  const Index batch = q.extent(0), heads = q.extent(1), queries = q.extent(2), keys = k.extent(2), dim = q.extent(3);
  require_shape("k", k.shape(), {batch, heads, keys, dim});
  require_shape("v", v.shape(), {batch, heads, keys, v.extent(3)});
  if (!std::isfinite(options.scale)) refuse(fmt::format("scale is {}, but must be finite", options.scale));
  if (!(options.dropout.rate >= 0 && options.dropout.rate < 1))
    refuse(fmt::format("dropout rate is {}, but must be in [0, 1)", options.dropout.rate));

  AttendProblem<T> problem{.batch = batch,
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
                           .dropout = options.dropout,
                           .threads = options.threads};
  if (const auto& lengths = options.mask.key_lengths; !lengths.empty()) {
    require_shape("key_lengths", {static_cast<Index>(lengths.size())}, {batch});
    for (const Index length : lengths)
      if (length < 0 || length > keys) refuse(fmt::format("a key length is {}, but there are {} keys", length, keys));
    problem.mask.key_lengths = lengths.data();
  }
  if (const auto& visible = options.mask.visible; !visible.empty()) {
    if (static_cast<Index>(visible.size()) != queries * keys)
      refuse(
          fmt::format("visible has {} entries, but there are {} queries and {} keys", visible.size(), queries, keys));
    problem.mask.visible = visible.data();
  }
  if (const auto& slopes = options.bias.slopes; !slopes.empty()) {
    require_shape("slopes", {static_cast<Index>(slopes.size())}, {heads});
    problem.slopes = slopes.data();
  }
  if (!options.bias.dense.empty()) {
    require_shape("bias", options.bias.dense.shape(), {heads, queries, keys});
    problem.dense_bias = options.bias.dense.data();
  }
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
