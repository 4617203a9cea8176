// Corollary 3.1: n attention layers with residual connections as n steps of denoising.
#include <array>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"
#include "theorems/mechanisms/on_matrices.hpp"

namespace attest::boosting {
namespace {

using namespace engine;

constexpr std::array<double, 4> places{1, 2, 3, 4};

/// One denoising step: the estimate with the kernel exp((y_i + s p_i) . (y_j + s p_j) / sqrt d), plus `boost` times the
/// noisy patches.
struct Denoising {
  bool data_with_positions = false;  ///< y_0 = e + p instead of e
  double kernel_positions = 1;       ///< s
  double boost = 1;
};

/// Eq 3.2 from the definition of the kernel: sum_j K_ij y_j / sum_j K_ij with K_ij = exp((y_i + s p_i) . (y_j + s p_j)
/// / sqrt d), token by token.
template <class Real>
Matrix<Real> estimate(const Matrix<Real>& y, const Matrix<Real>& p, const Real& s) {
  const Real root = sqrt(Real(static_cast<double>(y.cols)));
  Matrix<Real> result(y.rows, y.cols);
  for (std::size_t i = 0; i < y.rows; ++i) {
    Real total(0);
    for (std::size_t j = 0; j < y.rows; ++j) {
      Real logit(0);
      for (std::size_t k = 0; k < y.cols; ++k) logit += (y(i, k) + s * p(i, k)) * (y(j, k) + s * p(j, k));
      const Real weight = exp(logit / root);
      total += weight;
      for (std::size_t k = 0; k < y.cols; ++k) result(i, k) += weight * y(j, k);
    }
    for (std::size_t k = 0; k < y.cols; ++k) result(i, k) /= total;
  }
  return result;
}

/// n layers x <- attention(x) + x from x = e + p, by the mechanism that is trained, against n steps of denoising; four
/// tokens of two coordinates.
Check layers_are_steps(int n, Denoising with) {
  // Tokens double at most in every layer, logits therefore quadruple: from 2 (1 + 1)^2 / sqrt 2 to 16 times that for
  // the third, of which 8 roundings each reach the output.
  const double size = 2 << n;
  const double rounding = 8 * 16 * 6 * size * 0x1p-52;
  return generic_identity(
      {{"e", 2 * places.size(), -1, 1}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto p = sinusoidal_positions<Real>(places, 2);
        auto y = matrix<Real>(in, "e", places.size(), 2);
        auto x = add(y, p, Real(1));
        if (with.data_with_positions) y = x;
        for (int layer = 0; layer < n; ++layer) {
          x = add(mechanisms::softmax_attention(x, x, x), x, Real(1));
          y = add(estimate(y, p, Real(with.kernel_positions)), y, Real(with.boost));
        }
        return Pair<Real>{x.entries, y.entries};
      },
      {.corners = {std::vector<double>(2 * places.size(), 0)}, .rounding_bound = rounding, .scale = size});
}

}  // namespace

Claims iterative_denoising() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/cor-3.1",
        .label = "Cor 3.1",
        .title = "n layers are n steps of denoising with K_SA, boosted by the residual connections",
        .kind = Kind::identity,
        .tex =
            R"(\mathbf x^{(n)} = \mathbf y^{(n)},\quad \mathbf x^{(0)} = \mathbf e+\mathbf p,\ \mathbf y^{(0)} = \mathbf e,\quad \mathbf y^{(\ell+1)} = \hat{\mathbf u}_{K_{SA}}(\mathbf y^{(\ell)}) + \mathbf y^{(\ell)})",
        .assumptions = {"layers as in Theorem 3.1", "n = 2, four tokens in the plane"},
        .expected = Verdict::refuted,
        .finding = Finding::error,
        .note = "'Equivalent to n-step iterative denoising with kernel K_SA': it falls with Theorem 3.1 at the first "
                "layer. Granted patches that carry their positions, it still falls at the second: K_SA adds the "
                "positions to the patches at every step, the transformer only at its input.",
        .depends_on = {"boosting/thm-3.1", "boosting/residual-snr-gain", "boosting/residual-raises-snr"}},
       layers_are_steps(2, {}),
       {},
       {{"patches that carry their positions, and a kernel of the patches alone", 1, layers_are_steps(2, {true, 0})}}});
  claims.push_back(
      {{.id = "boosting/cor-3.1-positions-once",
        .label = "Cor 3.1 (positions enter once)",
        .title = "n layers are n boosted steps of denoising with a kernel of the patches alone",
        .kind = Kind::identity,
        .tex =
            R"(\mathbf y^{(0)} = \mathbf e+\mathbf p,\quad K(\mathbf y_i,\mathbf y_j) = e^{\mathbf y_i^\top\mathbf y_j/\sqrt d},\quad \mathbf y^{(\ell+1)} = \hat{\mathbf u}_K(\mathbf y^{(\ell)}) + \mathbf y^{(\ell)} \ \Rightarrow\ \mathbf x^{(n)} = \mathbf y^{(n)})",
        .assumptions = {"W_Q = W_K = W_V = I", "n = 3, four tokens in the plane"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/cor-3.1"},
       layers_are_steps(3, {true, 0}),
       {{"one percent of the positions in the kernel at every step", 0.01, layers_are_steps(3, {true, 0.01})},
        {"boosted by 99 percent of the patches", 0.01, layers_are_steps(3, {true, 0, 0.99})}}});
  return claims;
}

}  // namespace attest::boosting
