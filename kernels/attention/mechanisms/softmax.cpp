// Softmax attention, with all that implementations of it offer.
#include "kernels/attention/mechanism/parts.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> all = attention_options();
  return all;
}

template <typename T>
std::vector<T> numbers(const Call<T>& call, std::string_view name) {
  const Tensor<T>* array = optional_input(call, name);
  return array == nullptr ? std::vector<T>() : std::vector<T>(array->values().begin(), array->values().end());
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  AttendOptions<T> how = attend_options(call, OptionReader(option_specs(), call.settings));
  how.bias.slopes = numbers(call, "slopes");
  how.learns_slopes = true;
  how.sinks = numbers(call, "sinks");
  if (const Tensor<T>* factors = optional_input(call, "dropout_mask")) how.weight_factors = *factors;
  const Tensor<T>* bias = optional_input(call, "bias");
  const Shape bias_shape = bias == nullptr ? Shape{0} : bias->shape();
  return evaluation_of(
      saved_attention(kept_input(call, "q"), kept_input(call, "k"), kept_input(call, "v"), std::move(how)),
      [bias_shape](AttendGradients<T> gradients) {
        Arrays<T> named_gradients;
        const auto put = [&](const char* name, Tensor<T>& gradient) {
          if (!gradient.empty()) named_gradients.emplace(name, std::move(gradient));
        };
        gradients.bias = reshaped(gradients.bias, bias_shape);
        put("slopes", gradients.slopes);
        put("sinks", gradients.sinks);
        put("dropout_mask", gradients.weight_factors);
        named_gradients.merge(named(std::move(gradients)));
        return named_gradients;
      });
}

/// Logits that take part as they are (`alone`) do not follow when all others are shifted.
InputSpec per_head_input(const char* name, const char* meaning, bool positional, bool alone) {
  return {.name = name,
          .shape = "[H]",
          .meaning = meaning,
          .required = false,
          .initialisation = Initialisation::constant(0),
          .positional = positional,
          .kernels_alone = true,
          .breaks_shift = alone};
}

}  // namespace

Mechanism softmax() {
  return {.name = "softmax",
          .title = "scaled dot-product attention",
          .formula = R"(\operatorname{softmax}(QK^\top/\sqrt D)\,V)",
          .source = "Boosting Eq 2.3, 2.4; Primal-Dual Eq 1, 2; Twicing Eq 1",
          .inputs = grouped_query_key_value(
              {mask_bias(),
               per_head_input("sinks", "a logit of each head that takes part in every softmax and has no value", false,
                              true),
               per_head_input("slopes", "ALiBi: -slope |i - j| is added to the logits of each head", true, false),
               {.name = "dropout_mask",
                .shape = "[B][H][N_q][N_k]",
                .meaning = "what the weights are multiplied with after the softmax: 0 or 1/(1 - rate)",
                .required = false,
                .kernels_alone = true}}),
          .options = option_specs(),
          .takes_mask_per_head = true,
          .takes_packing = true,
          .gives_lse = true,
          .ignores_hidden_tokens = true,
          .is_softmax_polynomial = true,
          .shift = Shift::keys,
          .primitive = Primitive::attend,
          .forward_float = forward<float>,
          .forward_double = forward<double>,
          // Of all pairs: what windows, masks and packed sequences save is not taken off.
          .cost = [](const CostShape& shape, const Settings& s) { return attend_cost(with_causal(shape, s)); }};
}

}  // namespace attest::attention::definitions
