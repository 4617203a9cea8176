// FeatScale: the constant and the varying part of the output weighted apart.
#include "kernels/attention/mechanism/parts.hpp"
#include "kernels/attention/stages/feature_scale.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& no_options() {
  static const std::vector<OptionSpec> none;
  return none;
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  AttendOptions<T> how = attend_options(call, OptionReader(no_options(), call.settings));
  const Tensor<T>& q = input(call, "q");
  const std::vector<Index> lengths = query_lengths(call.mask, q.extent(0), q.extent(2), input(call, "k").extent(2));
  auto saved = saved_attention(q, kept_input(call, "k"), kept_input(call, "v"), std::move(how));
  const Tensor<T>&s = input(call, "s"), &t = input(call, "t");
  return {feature_scale(saved->attended.out, s, t, lengths), [saved, s, t, lengths](const Tensor<T>& dout) mutable {
            const auto attention = std::exchange(saved, nullptr);
            FeatureScaleGradients<T> d = feature_scale_backward(attention->attended.out, s, t, lengths, dout);
            Arrays<T> gradients = named(attention->backward(d.x));
            gradients.emplace("s", std::move(d.s));
            gradients.emplace("t", std::move(d.t));
            return gradients;
          }};
}

InputSpec weight(const char* name, const char* meaning) {
  return {.name = name, .shape = "[H][D_v]", .meaning = meaning, .initialisation = Initialisation::constant(0)};
}

}  // namespace

Mechanism featscale() {
  return {.name = "featscale",
          .title = "attention whose output's mean over tokens and rest are weighted apart (FeatScale)",
          .formula = R"(X+s\odot\operatorname{mean}(X)+t\odot(X-\operatorname{mean}(X)),\ X=AV)",
          .source = "Twicing Table 11; Wang et al. 2022",
          .inputs = query_key_value({logit_bias(), weight("s", "learnable weight of the mean over tokens, per feature"),
                                     weight("t", "learnable weight of the rest, per feature")}),
          .takes_mask = false,  // the mean goes to queries without keys too
          .is_matrix = false,   // each feature has its own
          .shift = Shift::keys,
          .forward_float = forward<float>,
          .forward_double = forward<double>,
          .cost = [](const CostShape& shape, const Settings&) {
            // An addition for the mean, a subtraction and two multiply-accumulates an output element; going back the
            // gradients of both weights and of the mean as well.
            return attend_cost(shape) + combination_cost(shape, 6, 9);
          }};
}

}  // namespace attest::attention::definitions
