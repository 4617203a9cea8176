// Twicing attention: the smoothed residual is added back.
#include "kernels/attention/mechanisms/parts.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& options() {
  static const std::vector<OptionSpec> all = {causal_option()};
  return all;
}

// A V + A (V - A V) is A W with W = 2 V - A V: two passes of the same A, which is never stored.
template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  const AttendOptions<T> how = attend_options(call, OptionReader(options(), call.settings));
  auto first = saved_attention(input(call, "q"), input(call, "k"), input(call, "v"), how);
  auto second = saved_attention(first->q, first->k, combination(T(2), first->v, T(-1), first->attended.out), how);
  return {second->attended.out, [first, second](const Tensor<T>& dout) mutable {
            const auto inner = std::exchange(first, nullptr), outer = std::exchange(second, nullptr);
            AttendGradients<T> g = outer->backward(dout);
            const AttendGradients<T> through_first = inner->backward(combination(T(-1), g.v, T(0), g.v));
            add(g.q, through_first.q);
            add(g.k, through_first.k);
            if (!g.bias.empty()) add(g.bias, through_first.bias);
            g.v = combination(T(2), g.v, T(1), through_first.v);
            return named(std::move(g));
          }};
}

}  // namespace

Mechanism twicing() {
  return {.name = "twicing",
          .title = "attention with the smoothed residual added back",
          .formula = R"((2A-A^2)V = AV+A(V-AV),\ A=\operatorname{softmax}(QK^\top/\sqrt D))",
          .source = "Twicing Definition 2, Eq 18, 19",
          .inputs = tokens({logit_bias(true)}),
          .options = options(),
          .forward_float = forward<float>,
          .forward_double = forward<double>,
          .cost = [](const CostShape& shape, const Settings& s) { return twicing_cost(with_causal(shape, s)); }};
}

}  // namespace attest::attention::definitions
