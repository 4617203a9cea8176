// Graph diffusion: attention minus the identity.
#include "kernels/attention/mechanism/parts.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> all = causal_and_logit_options();
  return all;
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  auto saved = saved_attention(kept_input(call, "q"), kept_input(call, "k"), kept_input(call, "v"),
                               attend_options(call, OptionReader(option_specs(), call.settings)));
  return {combination(T(1), saved->attended.out, T(-1), *saved->v), [saved](const Tensor<T>& dout) mutable {
            AttendGradients<T> g = std::exchange(saved, nullptr)->backward(dout);
            g.v = combination(T(1), g.v, T(-1), dout);
            return named(std::move(g));
          }};
}

}  // namespace

Mechanism graph_diffusion() {
  return {.name = "graph-diffusion",
          .title = "graph diffusion: the negative graph Laplacian of attention",
          .formula = R"((A-I)V,\ A=\operatorname{softmax}(QK^\top/\sqrt D))",
          .source = "ProbDR Section 4.2",
          .inputs = tokens({logit_bias(true)}),
          .options = option_specs(),
          .ignores_hidden_tokens = true,
          .adds_own_values = true,
          .is_softmax_polynomial = true,
          .shift = Shift::keys,
          .forward_float = forward<float>,
          .forward_double = forward<double>,
          .cost = [](const CostShape& shape, const Settings& s) {
            return attend_cost(with_causal(shape, s)) + combination_cost(shape, 1, 1);
          }};
}

}  // namespace attest::attention::definitions
