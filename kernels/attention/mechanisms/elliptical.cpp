// Elliptical attention: features weigh by how much the values change from layer to layer.
#include <limits>

#include "kernels/attention/mechanism/parts.hpp"
#include "kernels/attention/stages/relevance.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> all = {
      causal_option(),
      {"normalise", "max", "what the metric is divided by: its max or mean over the features, or none", "mean"},
      {"delta", "1", "step between layers, above 0; matters with normalise=none alone", "5"},
      {"gradient", "through", "through the metric, or stop: the metric a constant, as in the authors' code",
       "through"}};
  return all;
}

/// Rows of q times the metric of their head (of their own row under a causal mask).
template <typename T>
Tensor<T> scaled(const Tensor<T>& q, const Tensor<double>& m) {
  Tensor<T> out(q.shape());
  const bool each = m.extent(2) > 1;
  for (Index b = 0; b < q.extent(0); ++b)
    for (Index h = 0; h < q.extent(1); ++h)
      for (Index n = 0; n < q.extent(2); ++n)
        for (Index d = 0; d < q.extent(3); ++d)
          out.at(b, h, n, d) = static_cast<T>(static_cast<double>(q.at(b, h, n, d)) * m.at(b, h, each ? n : 0, d));
  return out;
}

template <typename T>
Tensor<double> metric_gradient(const Tensor<T>& q, const Tensor<T>& dscaled, const Tensor<double>& m) {
  Tensor<double> dm(m.shape());
  const bool each = m.extent(2) > 1;
  for (Index b = 0; b < q.extent(0); ++b)
    for (Index h = 0; h < q.extent(1); ++h)
      for (Index n = 0; n < q.extent(2); ++n)
        for (Index d = 0; d < q.extent(3); ++d)
          dm.at(b, h, each ? n : 0, d) +=
              static_cast<double>(q.at(b, h, n, d)) * static_cast<double>(dscaled.at(b, h, n, d));
  return dm;
}

RelevanceOptions relevance_options(const OptionReader& read, const Mask& mask) {
  const std::string& normalise = read.choice("normalise", {"max", "mean", "none"});
  return {normalise == "max"    ? RelevanceOptions::max
          : normalise == "mean" ? RelevanceOptions::mean
                                : RelevanceOptions::none,
          read.number("delta", std::numeric_limits<double>::min(), std::numeric_limits<double>::max()),
          mask.key_lengths, mask.causal || read.flag("causal")};
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  const OptionReader read(option_specs(), call.settings);
  const RelevanceOptions how = relevance_options(read, call.mask);
  const bool through = read.choice("gradient", {"through", "stop"}) == "through";
  const Tensor<T>&q = input(call, "q"), *given = optional_input(call, "v_previous");
  Tensor<double> m;
  if (given != nullptr) m = relevance(input(call, "v"), *given, how);
  auto saved = saved_attention(given == nullptr ? q : scaled(q, m), kept_input(call, "k"), kept_input(call, "v"),
                               attend_options(call, read));
  const Tensor<T> previous = given == nullptr ? Tensor<T>() : *given;
  return {saved->attended.out, [=](const Tensor<T>& dout) mutable {
            const auto attention = std::exchange(saved, nullptr);
            AttendGradients<T> g = attention->backward(dout);
            if (previous.empty()) return named(std::move(g));
            Tensor<T> d_previous(previous.shape());
            if (through) {
              const Tensor<T> dv = relevance_backward(*attention->v, previous, how, metric_gradient(q, g.q, m));
              add(g.v, dv);
              d_previous = combination(T(-1), dv, T(0), dv);
            }
            g.q = scaled(g.q, m);
            Arrays<T> gradients = named(std::move(g));
            gradients.emplace("v_previous", std::move(d_previous));
            return gradients;
          }};
}

}  // namespace

Mechanism elliptical() {
  return {
      .name = "elliptical",
      .title = "attention in the metric of how the values change between layers (elliptical)",
      .formula =
          R"(\operatorname{softmax}(QMK^\top/\sqrt D)\,V,\ M=\operatorname{diag}(m/\max m),\ m_d=\operatorname{mean}_n|v_{nd}-v'_{nd}|/\delta)",
      .source = "Boosting Eq 6.2; Nielsen et al. 2024",
      .inputs = {{.name = "q", .shape = "[B][H][N][D]", .meaning = "queries", .role = Role::tokens},
                 {.name = "k", .shape = "[B][H][N][D]", .meaning = "keys", .role = Role::tokens},
                 {.name = "v", .shape = "[B][H][N][D]", .meaning = "values", .role = Role::tokens},
                 logit_bias(true),
                 {.name = "v_previous",
                  .shape = "[B][H][N][D]",
                  .meaning = "values of the previous layer; absent in the first layer, where M = I",
                  .required = false,
                  .shown = true,
                  .role = Role::previous_values}},
      .options = option_specs(),
      .shift = Shift::keys,
      .forward_float = forward<float>,
      .forward_double = forward<double>,
      .cost = [](const CostShape& shape, const Settings& s) {
        // |v - v'| summed: two flops and an addition a value; then the queries are scaled.
        const auto elements = static_cast<double>((shape.queries + 3 * shape.keys) * shape.dim);
        return attend_cost(with_causal(shape, s)) + scaling_cost(shape, elements, false);
      }};
}

}  // namespace attest::attention::definitions
