// Attention as Nadaraya-Watson regression with a Gaussian kernel of any bandwidth.
#include <cmath>
#include <limits>

#include "kernels/attention/mechanism/parts.hpp"
#include "kernels/attention/stages/concatenate.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> all = {
      causal_option(),
      {"bandwidth", "D^(1/4)", "sigma of the kernel, above 0; D^(1/4) is that of softmax attention", "1.5"},
      {.name = "kernel",
       .fallback = "gaussian",
       .meaning = "gaussian, or dot: the norms of the keys left out, as if they were equal",
       .example = "dot",
       .breaks_shift = true}};
  return all;
}

double bandwidth(const OptionReader& read, Index dim) {
  if (read.text("bandwidth") == "D^(1/4)") return std::pow(static_cast<double>(dim), 0.25);
  return read.number("bandwidth", std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
}

/// -|k_j|^2/2 of every key, [B][H][N][1].
template <typename T>
Tensor<T> minus_half_squares(const Tensor<T>& k) {
  Tensor<T> result({k.extent(0), k.extent(1), k.extent(2), 1});
  for (Index row = 0; row < result.size(); ++row) {
    double sum = 0;
    for (Index d = 0; d < k.extent(3); ++d) sum += std::pow(static_cast<double>(k.data()[row * k.extent(3) + d]), 2);
    result.data()[row] = static_cast<T>(-sum / 2);
  }
  return result;
}

// -|q - k|^2/(2 sigma^2) is [1, q]/sigma^2 . [-|k|^2/2, k] and a part that is equal for all keys of a query.
template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  const OptionReader read(option_specs(), call.settings);
  const Tensor<T>&q = input(call, "q"), &k = input(call, "k"), *learnable = optional_input(call, "bandwidth");
  const Shape learnable_shape = learnable == nullptr ? Shape{0} : learnable->shape();
  const bool gaussian = read.choice("kernel", {"gaussian", "dot"}) == "gaussian";
  const std::vector<T> sigma = per_head(call, "bandwidth", q.extent(1), bandwidth(read, q.extent(3)));
  std::vector<T> inverse_square;
  for (const T s : sigma) inverse_square.push_back(1 / (s * s));
  const std::vector<T> ones(sigma.size(), T(1)), of_square(sigma.size(), T(gaussian ? 1 : 0));
  Tensor<T> unit({q.extent(0), q.extent(1), q.extent(2), 1});
  for (T& entry : unit.values()) entry = 1;
  AttendOptions<T> how = attend_options(call, read);
  how.scale = 1;
  auto saved = saved_attention(concatenate(unit, inverse_square, q, inverse_square),
                               concatenate(minus_half_squares(k), of_square, k, ones), kept_input(call, "v"), how);
  return {saved->attended.out, [=](const Tensor<T>& dout) mutable {
            AttendGradients<T> g = std::exchange(saved, nullptr)->backward(dout);
            auto of_q = concatenate_backward(unit, inverse_square, q, inverse_square, g.q);
            auto of_k = concatenate_backward(minus_half_squares(k), of_square, k, ones, g.k);
            for (Index i = 0; i < k.size(); ++i) of_k.b.data()[i] -= k.data()[i] * of_k.a.data()[i / k.extent(3)];
            g.q = std::move(of_q.b);
            g.k = std::move(of_k.b);
            Arrays<T> gradients = named(std::move(g));
            for (std::size_t h = 0; h < sigma.size(); ++h)
              of_q.a_factor[h] = -2 * (of_q.a_factor[h] + of_q.b_factor[h]) / (sigma[h] * sigma[h] * sigma[h]);
            if (learnable_shape != Shape{0}) put_per_head(gradients, learnable_shape, "bandwidth", of_q.a_factor);
            return gradients;
          }};
}

Cost cost(const CostShape& shape, const Settings& settings) {
  CostShape extents = with_causal(shape, settings);
  extents.dim += 1;
  const auto elements = static_cast<double>((shape.queries + 2 * shape.keys) * shape.dim);
  return attend_cost(extents) + scaling_cost(extents, elements, false);
}

}  // namespace

Mechanism kernel_regression() {
  return {.name = "kernel-regression",
          .title = "Nadaraya-Watson regression with a Gaussian kernel",
          .formula = R"(\frac{\sum_j v_j\exp(-\|q_i-k_j\|^2/2\sigma^2)}{\sum_j\exp(-\|q_i-k_j\|^2/2\sigma^2)})",
          .source = "Twicing Appendix A.4, Eq 28",
          .inputs = query_key_value({{.name = "bandwidth",
                                      .shape = "[H]",
                                      .meaning = "learnable sigma",
                                      .required = false,
                                      .initialisation = Initialisation::power_of_dim(0.25),
                                      .also = {"[]"},
                                      .positive = true}}),
          .options = option_specs(),
          .ignores_hidden_tokens = true,
          .shift = Shift::queries_and_keys,
          // The logits are differences of |k|^2/2 and q.k, and the bandwidth's gradient is a sum of them that cancels:
          // in float it was off by 3.4e-6 for two tokens.
          .forward_float = [](const Call<float>& call) { return in_double(call, forward<double>); },
          .forward_double = forward<double>,
          .cost = cost};
}

}  // namespace attest::attention::definitions
