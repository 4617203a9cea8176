// Attention with projections of the positions of their own.
#include <cmath>

#include "kernels/attention/mechanism/parts.hpp"
#include "kernels/attention/stages/concatenate.hpp"

namespace attest::attention::definitions {
namespace {

const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> all = {causal_option()};
  return all;
}

/// p W_h^T for every head: [H][N][D] from p [N][C] and W [H][D][C].
template <typename T>
Tensor<T> projected(const Tensor<T>& p, const Tensor<T>& w) {
  const Index heads = w.extent(0), tokens = p.extent(0), dim = w.extent(1), width = p.extent(1);
  Tensor<T> out({heads, tokens, dim});
  for (Index h = 0; h < heads; ++h)
    for (Index n = 0; n < tokens; ++n)
      for (Index d = 0; d < dim; ++d) {
        double sum = 0;
        for (Index c = 0; c < width; ++c)
          sum +=
              static_cast<double>(p.data()[n * width + c]) * static_cast<double>(w.data()[(h * dim + d) * width + c]);
        out.data()[(h * tokens + n) * dim + d] = static_cast<T>(sum);
      }
  return out;
}

// Long sums, which cancel: in double also for float.
template <typename T>
void add_projected_backward(const Tensor<T>& p, const Tensor<T>& w, const Tensor<T>& dout, Tensor<double>& dp,
                            Tensor<double>& dw) {
  const Index heads = w.extent(0), tokens = p.extent(0), dim = w.extent(1), width = p.extent(1);
  for (Index h = 0; h < heads; ++h)
    for (Index n = 0; n < tokens; ++n)
      for (Index d = 0; d < dim; ++d)
        for (Index c = 0; c < width; ++c) {
          const auto in = static_cast<double>(dout.data()[(h * tokens + n) * dim + d]);
          dp.data()[n * width + c] += in * static_cast<double>(w.data()[(h * dim + d) * width + c]);
          dw.data()[(h * dim + d) * width + c] += in * static_cast<double>(p.data()[n * width + c]);
        }
}

template <typename T>
Tensor<T> rounded(const Tensor<double>& sums) {
  Tensor<T> result(sums.shape());
  for (Index i = 0; i < sums.size(); ++i) result.data()[i] = static_cast<T>(sums.data()[i]);
  return result;
}

template <typename T>
Evaluation<T> forward(const Call<T>& call) {
  const Tensor<T>&q = input(call, "q"), &k = input(call, "k"), &p = input(call, "p");
  const Tensor<T>&hq = input(call, "hq"), &hk = input(call, "hk");
  const std::vector<T> ones(static_cast<std::size_t>(q.extent(1)), T(1));
  AttendOptions<T> how = attend_options(call, OptionReader(option_specs(), call.settings));
  how.scale = static_cast<T>(1 / std::sqrt(2 * static_cast<double>(q.extent(3))));
  auto saved = saved_attention(concatenate(projected(p, hq), ones, q, ones),
                               concatenate(projected(p, hk), ones, k, ones), kept_input(call, "v"), how);
  return {saved->attended.out, [=](const Tensor<T>& dout) mutable {
            AttendGradients<T> g = std::exchange(saved, nullptr)->backward(dout);
            auto of_q = concatenate_backward(projected(p, hq), ones, q, ones, g.q);
            auto of_k = concatenate_backward(projected(p, hk), ones, k, ones, g.k);
            Tensor<double> dp(p.shape()), dhq(hq.shape()), dhk(hk.shape());
            add_projected_backward(p, hq, of_q.a, dp, dhq);
            add_projected_backward(p, hk, of_k.a, dp, dhk);
            g.q = std::move(of_q.b);
            g.k = std::move(of_k.b);
            Arrays<T> gradients = named(std::move(g));
            gradients.emplace("p", rounded<T>(dp));
            gradients.emplace("hq", rounded<T>(dhq));
            gradients.emplace("hk", rounded<T>(dhk));
            return gradients;
          }};
}

InputSpec projection(const char* name, const char* meaning) {
  return {.name = name, .shape = "[H][D][C]", .meaning = meaning, .initialisation = Initialisation::projection()};
}

}  // namespace

Mechanism independent_positions() {
  return {.name = "independent-positions",
          .title = "attention with projections of the positions of their own",
          .formula = R"(\operatorname{softmax}(q_i\cdot k_j/\sqrt{2D}+(H_Qp_i)\cdot(H_Kp_j)/\sqrt{2D}+b_{ij})\,V)",
          .source = "Boosting Eq 6.1",
          .inputs = tokens({{.name = "p", .shape = "[N][C]", .meaning = "positional vectors, sinusoidal or learned"},
                            projection("hq", "projection H_Q of the positions"),
                            projection("hk", "projection H_K of the positions"),
                            logit_bias(true)}),
          .options = option_specs(),
          .ignores_hidden_tokens = true,
          .shift = Shift::keys,
          .forward_float = forward<float>,
          .forward_double = forward<double>,
          .cost = [](const CostShape& shape, const Settings& s) {
            CostShape extents = with_causal(shape, s);
            extents.dim *= 2;
            return attend_cost(extents);
          }};
}

}  // namespace attest::attention::definitions
