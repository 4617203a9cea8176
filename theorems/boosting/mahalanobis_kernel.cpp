// Remark 3.1: general projections and the Mahalanobis distance.
#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::boosting {
namespace {

using namespace engine;

/// Attention weights with W_Q' W_K = M + skew (0 1; 0 0), M = A'A, against the kernel exp(-|x_i - x_j|_M^2 / (2 sqrt
/// d)) times exp(growth |x_j|_M^2 / (2 sqrt d)); |x_j|_M = r (1, 1, last).
struct Mahalanobis {
  double last = 1;
  double skew = 0;
  double growth = 0;
};

Check mahalanobis(Mahalanobis m) {
  return generic_identity({{"angles", 3, -3.2, 3.2}, {"r", 1, 0.5, 2}, {"A", 3, 0.5, 2}},
                          [m](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            Matrix<Real> a(2, 2);
                            a.entries = {Real(in["A"][0]), Real(0), Real(in["A"][1]), Real(in["A"][2])};
                            auto directions = on_circle<Real>(in["angles"], Real(in.scalar("r")));
                            for (std::size_t k = 0; k < 2; ++k) directions(2, k) *= Real(m.last);
                            const auto x = dot_products(directions, inverse(a));  // rows A^-1 (r cos, r sin)
                            const auto metric = multiply(transpose(a), a);
                            auto w = metric;
                            w(0, 1) += Real(m.skew);
                            const Real half = Real(1) / (Real(2) * sqrt(Real(2)));
                            auto distances = scale(Real(Real(0) - half), squared_distances(x, x, metric));
                            const auto norms = squared_norms(x, metric);
                            for (std::size_t i = 0; i < 3; ++i)
                              for (std::size_t j = 0; j < 3; ++j) distances(i, j) += Real(m.growth) * half * norms[j];
                            return Pair<Real>{softmax_rows(scale(Real(2) * half, bilinear(x, w, x))).entries,
                                              softmax_rows(distances).entries};
                          },
                          // The entries of A^-1 are at most 8, so logits of size 4 are sums of terms of up to 8^2 4
                          // times as many roundings.
                          {.rounding_bound = 8 * 8 * 4 * 4 * 16 * 0x1p-52, .scale = 1});
}

}  // namespace

Claims mahalanobis_kernel() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/remark-3.1",
        .label = "Remark 3.1",
        .title = "With constraints, general projections amount to a kernel of the Mahalanobis distance",
        .kind = Kind::identity,
        .tex =
            R"(\mathrm{softmax}_j\Big(\frac{(\mathbf W_Q\mathbf x_i)^\top\mathbf W_K\mathbf x_j}{\sqrt d}\Big) = \frac{e^{-|\mathbf x_i-\mathbf x_j|_{\mathbf M}^2/2\sqrt d}}{\sum_ke^{-|\mathbf x_i-\mathbf x_k|_{\mathbf M}^2/2\sqrt d}})",
        .assumptions = {"W_Q' W_K = M symmetric positive definite", "all tokens of one length |x_j|_M"},
        .expected = Verdict::supported,
        .note = "The proper constraints are not named in the text; these two suffice, and each is needed: see the "
                "near-misses.",
        .depends_on = {"boosting/thm-3.1"}},
       mahalanobis({}),
       {{"one token one percent longer", 0.01, mahalanobis({.last = 1.01})},
        {"one percent of skewness", 0.01, mahalanobis({.skew = 0.01})}}});
  claims.push_back(
      {{.id = "boosting/remark-3.1-any-length",
        .label = "Remark 3.1 (tokens of any length)",
        .title = "Without equal lengths the distance kernel is weighted by exp(|x_j|^2 / 2 sqrt d)",
        .kind = Kind::identity,
        .tex =
            R"(\mathrm{softmax}_j\Big(\frac{\mathbf x_i^\top\mathbf M\mathbf x_j}{\sqrt d}\Big) \propto e^{|\mathbf x_j|_{\mathbf M}^2/2\sqrt d}\;e^{-|\mathbf x_i-\mathbf x_j|_{\mathbf M}^2/2\sqrt d})",
        .assumptions = {"M symmetric positive definite"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/remark-3.1",
        .note = "Long tokens draw weight that no distance accounts for."},
       mahalanobis({.last = 0.5, .growth = 1}),
       {{"the factor left out", 1, mahalanobis({.last = 0.5})},
        {"its exponent one percent smaller", 0.01, mahalanobis({.last = 0.5, .growth = 0.99})}}});
  return claims;
}

}  // namespace attest::boosting
