// Twicing attention: the smoothed residual is added back.
#include "kernels/attention/twicing/twicing.hpp"

#include "kernels/attention/mechanism/parts.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> all = causal_and_logit_options();
  return all;
}

// What a twicing that has run needs to go back.
template <typename T>
struct Saved {
  Kept<T> q, k, v;
  AttendOptions<T> options;
  Twiced<T> twiced;
};

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  auto saved = std::make_shared<Saved<T>>(Saved<T>{kept_input(call, "q"),
                                                   kept_input(call, "k"),
                                                   kept_input(call, "v"),
                                                   attend_options(call, OptionReader(option_specs(), call.settings)),
                                                   {}});
  saved->twiced = attention::twicing(*saved->q, *saved->k, *saved->v, saved->options);
  return {saved->twiced.out, [saved](const Tensor<T>& dout) mutable {
            const auto past = std::exchange(saved, nullptr);
            return named(twicing_backward(*past->q, *past->k, *past->v, past->options, past->twiced, dout));
          }};
}

}  // namespace

Mechanism twicing() {
  return {.name = "twicing",
          .title = "attention with the smoothed residual added back",
          .formula = R"((2A-A^2)V = AV+A(V-AV),\ A=\operatorname{softmax}(QK^\top/\sqrt D))",
          .source = "Twicing Definition 2, Eq 18, 19",
          .inputs = tokens({logit_bias(true)}),
          .options = option_specs(),
          .ignores_hidden_tokens = true,
          .is_softmax_polynomial = true,
          .shift = Shift::keys,
          .primitive = Primitive::twicing,
          .forward_float = forward<float>,
          .forward_double = forward<double>,
          .cost = [](const CostShape& shape, const Settings& s) { return twicing_cost(with_causal(shape, s)); }};
}

}  // namespace attest::attention::definitions
