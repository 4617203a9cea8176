// Attention with linear biases.
#include "kernels/attention/mechanism/parts.hpp"
#include "kernels/attention/stages/slopes.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& options() {
  static const std::vector<OptionSpec> all = {causal_option()};
  return all;
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  AttendOptions<T> how = attend_options(call, OptionReader(options(), call.settings));
  for (const double slope : alibi_slopes(input(call, "q").extent(1))) how.bias.slopes.push_back(static_cast<T>(slope));
  auto saved = saved_attention(input(call, "q"), input(call, "k"), input(call, "v"), std::move(how));
  return {saved->attended.out,
          [saved](const Tensor<T>& dout) mutable { return named(std::exchange(saved, nullptr)->backward(dout)); }};
}

}  // namespace

Mechanism alibi() {
  return {.name = "alibi",
          .title = "attention with linear biases (ALiBi)",
          .formula = R"(\operatorname{softmax}(q_i\cdot k_j/\sqrt D - m_h|i-j|)\,V)",
          .source = "Boosting Remark 3.4, Table 1; Press et al. 2022",
          .inputs = query_key_value(),
          .options = options(),
          .positional = true,
          .forward_float = forward<float>,
          .forward_double = forward<double>,
          .cost = [](const CostShape& shape, const Settings& s) {
            const CostShape extents = with_causal(shape, s);
            return attend_cost(extents) + logit_bias_cost(extents, 2, false);
          }};
}

}  // namespace attest::attention::definitions
