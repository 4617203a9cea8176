// Softmax attention.
#include "kernels/attention/mechanism/parts.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& options() {
  static const std::vector<OptionSpec> all = {causal_option()};
  return all;
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  auto saved = saved_attention(input(call, "q"), input(call, "k"), input(call, "v"),
                               attend_options(call, OptionReader(options(), call.settings)));
  return {saved->attended.out,
          [saved](const Tensor<T>& dout) mutable { return named(std::exchange(saved, nullptr)->backward(dout)); }};
}

}  // namespace

Mechanism softmax() {
  return {.name = "softmax",
          .title = "scaled dot-product attention",
          .formula = R"(\operatorname{softmax}(QK^\top/\sqrt D)\,V)",
          .source = "Boosting Eq 2.3, 2.4; Primal-Dual Eq 1, 2; Twicing Eq 1",
          .inputs = query_key_value({logit_bias()}),
          .options = options(),
          .forward_float = forward<float>,
          .forward_double = forward<double>,
          .cost = [](const CostShape& shape, const Settings& s) { return attend_cost(with_causal(shape, s)); }};
}

}  // namespace attest::attention::definitions
