// Attention with linear biases.
#include "kernels/attention/mechanism/parts.hpp"
#include "kernels/attention/stages/slopes.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> all = attention_options();
  return all;
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  AttendOptions<T> how = attend_options(call, OptionReader(option_specs(), call.settings));
  for (const double slope : alibi_slopes(input(call, "q").extent(1))) how.bias.slopes.push_back(static_cast<T>(slope));
  return evaluation_of(
      saved_attention(kept_input(call, "q"), kept_input(call, "k"), kept_input(call, "v"), std::move(how)),
      [](AttendGradients<T> gradients) { return named(std::move(gradients)); });
}

}  // namespace

Mechanism alibi() {
  return {.name = "alibi",
          .title = "attention with linear biases (ALiBi)",
          .formula = R"(\operatorname{softmax}(q_i\cdot k_j/\sqrt D - m_h|i-j|)\,V)",
          .source = "Boosting Remark 3.4, Table 1; Press et al. 2022",
          .inputs = grouped_query_key_value(),
          .options = option_specs(),
          .positional = true,
          .takes_mask_per_head = true,
          .takes_packing = true,
          .gives_lse = true,
          .ignores_hidden_tokens = true,
          .shift = Shift::keys,
          .forward_float = forward<float>,
          .forward_double = forward<double>,
          .cost = [](const CostShape& shape, const Settings& s) {
            const CostShape extents = with_causal(shape, s);
            return attend_cost(extents) + logit_bias_cost(extents, 2, false);
          }};
}

}  // namespace attest::attention::definitions
