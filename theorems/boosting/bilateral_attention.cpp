// Eq 3.10, bilateral self-attention: is it a bilateral filter, and when is its similarity a kernel?
#include <array>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"
#include "theorems/mechanisms/on_matrices.hpp"

namespace attest::boosting {
namespace {

using namespace engine;

constexpr std::array<double, 2> places{1, 2};
/// Exponents up to 2 (2 2)^2 2 / 0.5 with sixteen roundings each.
constexpr double rounding = 64 * 16 * 4 * 0x1p-52;

/// W = (w_0 + shift, w_1 + skew; w_1, w_2), positive definite (w_0 w_2 > w_1^2) unless shifted.
struct Weights {
  double skew = 0;
  double shift = 0;
};

template <class Real>
Matrix<Real> weights(const Inputs& in, Weights w) {
  Matrix<Real> result(2, 2);
  const auto a = in["W"];
  result.entries = {Real(a[0]) + Real(w.shift), Real(a[1]) + Real(w.skew), Real(a[1]), Real(a[2])};
  return result;
}

std::vector<Block> setting() { return {{"y", 4, -2, 2}, {"W", 3, 0.5, 1}, {"h_p^2", 1, 0.5, 3}, {"h_y^2", 1, 0.5, 3}}; }

/// Two positions with their patches: log K_BSA for all pairs.
template <class Real>
Matrix<Real> log_bsa(const Inputs& in, const Matrix<Real>& w) {
  const auto y = matrix<Real>(in, "y", 2, 2);
  const auto p = sinusoidal_positions<Real>(places, 2);
  return add(scale(Real(Real(1) / Real(in.scalar("h_p^2"))), bilinear(p, w, p)), bilinear(y, w, y),
             Real(Real(1) / Real(in.scalar("h_y^2"))));
}

/// K_BSA(i, j) = K_BSA(j, i) for any W at all.
Check symmetric_in_pairs(bool any_w, double skew) {
  std::vector<Block> blocks = setting();
  if (any_w) blocks[1] = {"W", 4, -1, 1};
  return generic_identity(blocks,
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            const auto w = any_w ? matrix<Real>(in, "W", 2, 2) : weights<Real>(in, {skew});
                            const auto k = log_bsa(in, w);
                            return Pair<Real>{{k(0, 1)}, {k(1, 0)}};
                          },
                          {.corners = any_w ? std::vector<std::vector<double>>{{1, 0, 0, 1, 0, 1, 0, 0, 1, 1}}
                                            : std::vector<std::vector<double>>{},
                           .rounding_bound = rounding,
                           .scale = 1});
}

/// log K_BSA(i, j) = -|p_i - p_j|_W^2 / (2 h_p^2) - |y_i - y_j|_W^2 / (2 h_y^2) + lengths (half the squared lengths
/// over the squared bandwidths).
Check bilateral_with_lengths(double lengths, double skew) {
  return generic_identity(
      setting(),
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto w = weights<Real>(in, {});
        const auto y = matrix<Real>(in, "y", 2, 2);
        const auto p = sinusoidal_positions<Real>(places, 2);
        Pair<Real> pair{log_bsa(in, weights<Real>(in, {skew})).entries, std::vector<Real>(4, Real(0))};
        const auto add_factor = [&](const Matrix<Real>& a, const Real& h_squared) {
          const auto distances = squared_distances(a, a, w);
          const auto norms = squared_norms(a, w);
          for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 2; ++j)
              pair.rhs[2 * i + j] += (Real(lengths) * (norms[i] + norms[j]) - distances(i, j)) / (Real(2) * h_squared);
        };
        add_factor(p, Real(in.scalar("h_p^2")));
        add_factor(y, Real(in.scalar("h_y^2")));
        return pair;
      },
      {.rounding_bound = rounding, .scale = 1});
}

/// The weights are those of the bilateral filter with squared bandwidths factor 2 h^2, for three patches on a circle of
/// radius c, positions 1, 2, 7, W = I.
Check bilateral_weights(double factor, double last) {
  return generic_identity({{"angles", 3, -3.2, 3.2}, {"c", 1, 0.5, 2}, {"h_p^2", 1, 0.5, 3}, {"h_y^2", 1, 0.5, 3}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            auto y = on_circle<Real>(in["angles"], Real(in.scalar("c")));
                            for (std::size_t k = 0; k < 2; ++k) y(2, k) *= Real(last);
                            const auto p = sinusoidal_positions<Real>(std::vector<double>{1, 2, 7}, 2);
                            const Real h_p_squared(in.scalar("h_p^2"));
                            const Real h_y_squared(in.scalar("h_y^2"));
                            const Real twice(2 * factor);
                            const auto filter =
                                log_bilateral(p, p, y, y, Real(twice * h_p_squared), Real(twice * h_y_squared));
                            const auto bsa = mechanisms::bilateral_attention(y, y, p, p, scaled_identity(3, Real(1)),
                                                                             h_p_squared, h_y_squared);
                            return Pair<Real>{bsa.entries, softmax_rows(filter).entries};
                          },
                          {.rounding_bound = rounding, .scale = 1});
}

/// z' K_BSA z >= 0 for three tokens.
Check semidefinite(Weights w) {
  return generic_inequality(
      {{"y", 6, -1, 1}, {"W", 3, 0.5, 1}, {"h_p^2", 1, 0.5, 3}, {"h_y^2", 1, 0.5, 3}, {"z", 3, -1, 1}},
      Relation::greater_equal,
      [w](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto m = weights<Real>(in, w);
        const bool definite = w.shift != 0 || positive(Real(m(0, 0) * m(1, 1) - m(1, 0) * m(1, 0)));
        const auto y = matrix<Real>(in, "y", 3, 2);
        const auto p = sinusoidal_positions<Real>(std::vector<double>{1, 2, 3}, 2);
        auto k = add(scale(Real(Real(1) / Real(in.scalar("h_p^2"))), bilinear(p, m, p)), bilinear(y, m, y),
                     Real(Real(1) / Real(in.scalar("h_y^2"))));
        for (Real& entry : k.entries) entry = exp(entry);
        const auto form = quadratic_form(in["z"], k);
        return Pair<Real>{{form.gained}, {form.lost}, definite};
      },
      {.evaluations = 2500, .corners = {{1, 0, -1, 0, 0, 1, 1, 0.5, 1, 1, 1, 1, -1, 0}}});
}

Check kernel(Weights w) {
  return composite({{"symmetric", Kind::identity, symmetric_in_pairs(false, w.skew)},
                    {"positive semidefinite", Kind::universal_inequality, semidefinite(w)}});
}

}  // namespace

Claims bilateral_attention() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/eq-3.10-bilateral",
        .label = "Eq 3.10 ('purely bilateral')",
        .title = "Bilateral self-attention is a bilateral filter",
        .kind = Kind::identity,
        .tex =
            R"(K_{BSA}(i,j) = K_{BSA}(j,i),\quad K_{BSA} = \exp\Big(\frac{\mathbf p_i^\top\mathbf W\mathbf p_j}{h_p^2}+\frac{\mathbf y_i^\top\mathbf W\mathbf y_j}{h_y^2}\Big))",
        .assumptions = {"W = W_Q' W_K of any projections"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note =
            "'Purely bilateral', with 'W = W_Q^T W_K' of any projections. A bilateral kernel depends on two distances "
            "and so is symmetric; judged is this necessary property. Holds for a symmetric W with patches and "
            "positions of equal lengths in W (boosting/eq-3.10-symmetric-w, boosting/eq-3.10-identity-w).",
        .depends_on = {"boosting/prop-3.2-factorisation", "boosting/distinction-2"}},
       symmetric_in_pairs(true, 0),
       {{"a symmetric W but for one percent", 0.01, symmetric_in_pairs(false, 0.01)}},
       {{"a symmetric W", 1, symmetric_in_pairs(false, 0)}}});
  claims.push_back(
      {{.id = "boosting/eq-3.10-symmetric-w",
        .label = "Eq 3.10 ('purely bilateral') (symmetric W)",
        .title = "For a symmetric W it is a bilateral kernel in the distance of W times a factor for the lengths",
        .kind = Kind::identity,
        .tex =
            R"(K_{BSA}(i,j) = \ell_i\,\ell_j\,e^{-|\mathbf p_i-\mathbf p_j|_{\mathbf W}^2/2h_p^2}\,e^{-|\mathbf y_i-\mathbf y_j|_{\mathbf W}^2/2h_y^2},\quad \ell_i = e^{|\mathbf p_i|_{\mathbf W}^2/2h_p^2+|\mathbf y_i|_{\mathbf W}^2/2h_y^2})",
        .assumptions = {"W symmetric"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/eq-3.10-bilateral",
        .note = "l_j stays after the weights are normalised, unless all lengths in W are equal. Sinusoidal positions "
                "have equal lengths for W = I, not for a general positive definite W."},
       bilateral_with_lengths(1, 0),
       {{"without the lengths", 1, bilateral_with_lengths(0, 0)},
        {"one percent of skewness", 0.01, bilateral_with_lengths(1, 0.01)}}});
  claims.push_back(
      {{.id = "boosting/eq-3.10-identity-w",
        .label = "Eq 3.10 ('purely bilateral') (W = I, patches of one length)",
        .title = "With identity projections and patches of one length its weights are the bilateral filter's",
        .kind = Kind::identity,
        .tex =
            R"(\frac{K_{BSA}(i,j)}{\sum_kK_{BSA}(i,k)} = \frac{K_{BF}(i,j)}{\sum_kK_{BF}(i,k)}\quad\text{with bandwidths } \sqrt2\,h_p,\ \sqrt2\,h_y)",
        .assumptions = {"W = I", "|y_i| = c", "sinusoidal positions"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/eq-3.10-bilateral"},
       bilateral_weights(1, 1),
       {{"squared bandwidths one percent larger", 0.01, bilateral_weights(1.01, 1)},
        {"one patch one percent longer", 0.01, bilateral_weights(1, 1.01)}}});
  claims.push_back(
      {{.id = "boosting/bsa-kernel",
        .label = "Sec 3.2 (K_BSA with SPD W is a kernel)",
        .title = "With a symmetric positive definite W the similarity is a symmetric positive kernel",
        .kind = Kind::implication,
        .tex =
            R"(\mathbf W = \mathbf W^\top \succ 0 \ \Rightarrow\ K_{BSA}(i,j) = K_{BSA}(j,i),\ \mathbf z^\top\mathbf K_{BSA}\mathbf z \ge 0)",
        .assumptions = {"three tokens in the plane; the entries are exponentials, so they are positive"},
        .expected = Verdict::supported,
        .note = "For any number of tokens: exp of a positive semidefinite matrix, entry by entry, is "
                "positive semidefinite (Schur).",
        .depends_on = {"boosting/eq-3.10-bilateral"}},
       kernel({}),
       {{"one percent of skewness", 0.01, kernel({.skew = 0.01})}, {"an indefinite W", 1, kernel({.shift = -1.5})}}});
  return claims;
}

}  // namespace attest::boosting
