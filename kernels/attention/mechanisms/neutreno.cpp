// NeuTRENO: the first layer's values pull the output back.
#include <limits>

#include "kernels/attention/mechanism/parts.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> all = [] {
    std::vector<OptionSpec> list = causal_and_logit_options();
    list.push_back({"lambda", "0.6", "weight of the first layer's values, any number", "0.3"});
    return list;
  }();
  return all;
}

/// x plus lambda_h times y, head by head.
template <typename T>
void add_scaled(Tensor<T>& x, const std::vector<T>& lambda, T sign, const Tensor<T>& y) {
  const auto head = static_cast<std::size_t>(x.extent(2) * x.extent(3));
  for (std::size_t i = 0; i < x.values().size(); ++i)
    x.values()[i] += sign * lambda[i / head % lambda.size()] * y.values()[i];
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  const OptionReader read(option_specs(), call.settings);
  constexpr double huge = std::numeric_limits<double>::max();
  const Tensor<T>*v0 = optional_input(call, "v0"), *learnable = optional_input(call, "lambda");
  const auto lambda = per_head(call, "lambda", input(call, "q").extent(1), read.number("lambda", -huge, huge));
  const Shape lambda_shape = learnable == nullptr ? Shape{0} : learnable->shape();
  auto saved =
      saved_attention(kept_input(call, "q"), kept_input(call, "k"), kept_input(call, "v"), attend_options(call, read));
  Tensor<T> out = saved->attended.out, change;  // change: V_0 - V; absent in the first layer, where V_0 = V
  if (v0 != nullptr) {
    change = combination(T(1), *v0, T(-1), *saved->v);
    add_scaled(out, lambda, T(1), change);
  }
  return {std::move(out), [saved, change = std::move(change), lambda, lambda_shape](const Tensor<T>& dout) mutable {
            AttendGradients<T> g = std::exchange(saved, nullptr)->backward(dout);
            std::vector<T> d_lambda(lambda.size(), T(0));
            Arrays<T> gradients;
            if (!change.empty()) {
              add_scaled(g.v, lambda, T(-1), dout);
              Tensor<T> dv0(dout.shape());
              add_scaled(dv0, lambda, T(1), dout);
              d_lambda = sums_per_head(change, dout);
              gradients.emplace("v0", std::move(dv0));
            }
            if (lambda_shape != Shape{0}) put_per_head(gradients, lambda_shape, "lambda", d_lambda);
            gradients.merge(named(std::move(g)));
            return gradients;
          }};
}

}  // namespace

Mechanism neutreno() {
  return {.name = "neutreno",
          .title = "attention pulled back to the first layer's values (NeuTRENO)",
          .formula = R"(AV+\lambda(V_0-V),\ A=\operatorname{softmax}(QK^\top/\sqrt D))",
          .source = "Twicing Table 1; Nguyen et al. 2023b",
          .inputs = tokens({logit_bias(true),
                            {.name = "v0",
                             .shape = "[B][H][N][D_v]",
                             .meaning = "values of the first layer; absent in that layer, which has no extra term",
                             .required = false,
                             .shown = true,
                             .role = Role::first_values},
                            {.name = "lambda",
                             .shape = "[H]",
                             .meaning = "learnable weight of the first layer's values",
                             .required = false,
                             .initialisation = Initialisation::constant(0.6),
                             .also = {"[]"}}}),
          .options = option_specs(),
          .ignores_hidden_tokens = true,
          .adds_own_values = true,
          .shift = Shift::keys,
          .forward_float = forward<float>,
          .forward_double = forward<double>,
          .cost = [](const CostShape& shape, const Settings& s) {
            return attend_cost(with_causal(shape, s)) + combination_cost(shape, 3, 3);
          }};
}

}  // namespace attest::attention::definitions
