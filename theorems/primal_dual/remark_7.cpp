// Remark 7, Eq 44: the convolutional projections of the Convolutional vision Transformer (CvT).
#include "theorems/primal_dual/convolution.hpp"
#include "theorems/primal_dual/heads.hpp"
#include "theorems/primal_dual/prescribed_values.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;

constexpr Grid grid{1, 2};
constexpr std::size_t channels = 2;
constexpr std::size_t s = 2;
const std::size_t tokens = grid.size();
constexpr std::size_t entries = channels * s * s;  // a kernel for each channel

template <class Real>
using Vector = std::vector<Real>;

// Flatten(Conv2D(Reshape2D(X), s, kernel)), one kernel a channel.
template <class Real>
Vector<Real> conv(const Inputs& inputs, const Vector<Real>& kernel) {
  return convolved<Real>(as<Real>(values(inputs, "X", tokens * channels)), grid, channels, kernel, s);
}

// Eq 44 gives k_j and v_j one left-hand side, so with any one-to-one Phi it asks that the convolutions with W_K and
// with W_V agree. `ratio` >= 0: W_V = ratio W_K instead of a kernel of its own.
engine::Check one_left_hand_side(double ratio) {
  std::vector<engine::Block> blocks{{"X", tokens * channels, -1, 1}, {"W_K", entries, -1, 1}};
  if (ratio < 0) blocks.push_back({"W_V", entries, -1, 1});
  return identity_of(engine::Layout(blocks), 4, 8 * 0x1p-53, 300, [ratio](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto w_k = as<Real>(values(inputs, "W_K", entries));
    auto w_v = ratio < 0 ? as<Real>(values(inputs, "W_V", entries)) : w_k;
    if (ratio >= 0) {
      for (Real& entry : w_v) entry *= Real(ratio);
    }
    return engine::Pair<Real>(conv(inputs, w_k), conv(inputs, w_v));
  });
}

// With q, k, v = Conv2D(X, s, W_Q), ..., each followed by a matrix over the channels (the point-wise half of a
// depth-wise separable convolution): the layer with w_d = sum_j v_j(d) Phi(k_j) at q_i, features cut at degree 2,
// against sum_j Phi(q_i)'Phi(k_j) / h(q_i) v_j. `query` multiplies q_i on the right.
engine::Check three_kernels(double query) {
  const engine::Layout layout({{"X", tokens * channels, -1, 1},
                               {"W_Q", entries, -0.5, 0.5},
                               {"W_K", entries, -0.5, 0.5},
                               {"W_V", entries, -0.5, 0.5},
                               {"P", channels * channels, -0.5, 0.5}});
  const FiniteFeatures map(channels, 2);
  return identity_of(layout, layer_scale, layer_rounding, 400, [map, query](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto separable = [&](const char* name) {
      const Keys<Real> deep(conv(inputs, as<Real>(values(inputs, name, entries))), channels);
      return projected_rows(deep, as<Real>(values(inputs, "P", channels * channels)));
    };
    const Keys<Real> q(separable("W_Q"), channels);
    const Keys<Real> k(separable("W_K"), channels);
    const auto v = separable("W_V");
    const auto phi = map.of_rows(k);
    engine::Pair<Real> sides;
    for (std::size_t i = 0; i < tokens; ++i) {
      Vector<Real> longer(q.row(i).begin(), q.row(i).end());
      for (Real& entry : longer) entry *= Real(query);
      const auto phi_i = map(q.row(i));
      const auto phi_other = map(std::span<const Real>(longer));
      Vector<Real> weights;
      for (const auto& row : phi) weights.push_back(inner_product(phi_other, row) / normaliser(phi_other, phi));
      const auto output = weighted_rows<Real>(weights, v);
      for (std::size_t d = 0; d < channels; ++d) {
        Vector<Real> w(map.size(), Real(0));
        for (std::size_t j = 0; j < tokens; ++j) {
          for (std::size_t l = 0; l < w.size(); ++l) w[l] += v[j * channels + d] * phi[j][l];
        }
        sides.lhs.push_back(inner_product(w, phi_i) / normaliser(phi_i, phi));
        sides.rhs.push_back(output[d]);
      }
    }
    return sides;
  });
}

}  // namespace

engine::Claims remark_7() {
  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/remark-7",
      .label = "Remark 7 / Eq 44",
      .title = "Keys and values of CvT have one left-hand side, Flatten(Conv2D(X^train, s))(j)",
      .kind = engine::Kind::identity,
      .tex =
          R"(k_j = \mathrm{Flatten}(\mathrm{Conv2D}(X^{\mathrm{train}},s))(j) = v_j\ \Rightarrow\ \mathrm{Conv2D}(X,s,W_K)(j) = \mathrm{Conv2D}(X,s,W_V)(j))",
      .assumptions = {"Phi one-to-one, as that of Eq 28 is",
                      "W_K and W_V are different kernels, as the remark stresses"},
      .expected = engine::Verdict::refuted,
      .finding = engine::Finding::slip,
      .note =
          "The words around it have it right: \"CvT uses different kernels to compute keys, queries, and values\". "
          "Eq 44 also writes k_j in R^D as Phi of something, where Phi maps to the features, of which there are "
          "infinitely many; Eq 42 applies Phi to k_j once more.",
      .depends_on = {"primal-dual/def-3-def-4"}};
  printed.check = one_left_hand_side(-1);
  printed.near_hits = {{"W_V = W_K", 1, one_left_hand_side(1)}};

  engine::Claim amended;
  amended.statement = {
      .id = "primal-dual/remark-7-three-kernels",
      .label = "Remark 7 / Eq 44 (three convolutions, no Phi)",
      .title = "With queries, keys and values from three convolutions the expansion is CvT's attention",
      .kind = engine::Kind::identity,
      .tex =
          R"(q, k, v = \mathrm{Flatten}(\mathrm{Conv2D}(\mathrm{Reshape2D}(X), s, W_{Q,K,V})):\quad \Big(\sum_j v_j\Phi(k_j)^\top\Big)\frac{\Phi(q_i)}{h(q_i)} = \sum_j\frac{\Phi(q_i)^\top\Phi(k_j)}{h(q_i)}v_j)",
      .assumptions = {"h(x) = sum_j Phi(x)'Phi(k_j)", "a kernel for each channel, then a matrix over the channels",
                      "features cut at degree 2"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/remark-7",
      .note =
          "Section 2.1 with keys, values and test points that happen to be made by convolutions. As there, the "
          "values are given, not found from targets.",
      .depends_on = {"primal-dual/eq-10"}};
  amended.check = three_kernels(1);
  amended.near_misses = {{"queries one percent longer", 0.01, three_kernels(1.01)}};
  return {printed, amended};
}

}  // namespace attest::primal_dual
