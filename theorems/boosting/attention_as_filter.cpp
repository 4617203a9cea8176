// Theorem 3.1, its kernel (Eq 3.3) and Remark 3.1: self-attention as a weighted least squares estimate.
#include <array>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/input_matrix.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"

namespace attest::boosting {
namespace {

using namespace engine;

constexpr std::array<double, 3> places{1, 2, 3};
/// Logits up to 2 (2 + 1)^2 / sqrt 2 with 8 roundings each, averages of three values up to 3.
constexpr double rounding = (13 * 8 + 8) * 0x1p-52;

enum class Data { tokens, tokens_with_positions };

/// The output of attention on x = e + p is the estimate from the data with the kernel K_SA, plus `extra` times the
/// averaged positions. Three tokens in the plane.
Check output_is_estimate(Data data, double extra = 0) {
  return generic_identity(
      {{"e", 6, -2, 2}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto e = matrix<Real>(in, "e", 3, 2);
        const auto p = sinusoidal_positions<Real>(places, 2);
        const auto x = add(e, p, Real(1));
        const auto output = weighted_average(scale(Real(Real(1) / sqrt(Real(2))), dot_products(x, x)), x);
        const auto kernel = log_self_attention(e, p);
        const auto estimate = weighted_average(kernel, data == Data::tokens ? e : x);
        return Pair<Real>{output.entries, add(estimate, weighted_average(kernel, p), Real(extra)).entries};
      },
      {.corners = {{0, 0, 0, 0, 0, 0}}, .rounding_bound = rounding, .scale = 3});
}

/// K_SA(i, j) for W_Q' W_K = I + skew (0 1; 0 0), and -K's exponent where negated.
struct Kernel {
  double skew = 0;
  double sign = 1;
};

template <class Real>
Matrix<Real> kernel(const Inputs& in, Kernel k) {
  auto w = scaled_identity(2, Real(k.sign));
  w(0, 1) += Real(k.skew);
  const auto x = add(matrix<Real>(in, "y", 3, 2), sinusoidal_positions<Real>(places, 2), Real(1));
  auto result = scale(Real(Real(1) / sqrt(Real(2))), bilinear(x, w, x));
  for (Real& entry : result.entries) entry = exp(entry);
  return result;
}

Check symmetric(Kernel k) {
  return generic_identity({{"y", 6, -2, 2}},
                          [k](const Inputs& in, auto zero) {
                            const auto values_of = kernel<decltype(zero)>(in, k);
                            return Pair<decltype(zero)>{values_of.entries, transpose(values_of).entries};
                          },
                          {.rounding_bound = rounding});
}

/// sum_ij z_i K_ij z_j >= 0, with the terms of either sign on either side.
Check semidefinite(Kernel k) {
  return generic_inequality({{"y", 6, -1, 1}, {"z", 3, -1, 1}}, Relation::greater_equal,
                            [k](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto form = quadratic_form(in["z"], kernel<Real>(in, k));
                              return Pair<Real>{{form.gained}, {form.lost}};
                            },
                            {.evaluations = 3000, .corners = {{1, 1, -1, -1, 0, 0, 1, -1, 0}}});
}

/// Every weight is a positive number.
Check positive_weights() {
  return generic_inequality({{"y", 6, -2, 2}}, Relation::greater,
                            [](const Inputs& in, auto zero) {
                              const auto weights = kernel<decltype(zero)>(in, {});
                              return Pair<decltype(zero)>{{weights(0, 1)}, {decltype(zero)(0)}};
                            },
                            {.evaluations = 400});
}

Check kernel_properties(Kernel k) {
  return composite({{"symmetric", Kind::identity, symmetric(k)},
                    {"positive", Kind::universal_inequality, positive_weights()},
                    {"positive semidefinite", Kind::universal_inequality, semidefinite(k)}});
}

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

Claims attention_as_filter() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/thm-3.1",
        .label = "Thm 3.1",
        .title = "One attention layer is the weighted least squares estimate from the noisy patches e_i",
        .kind = Kind::identity,
        .tex =
            R"(\sum_j\mathrm{softmax}\Big(\frac{\mathbf x_i^\top\mathbf x_j}{\sqrt d}\Big)\mathbf x_j = \frac{\sum_j\mathbf e_jK_{SA}(i,j)}{\sum_jK_{SA}(i,j)},\quad \mathbf x_i = \mathbf e_i+\mathbf p_i)",
        .assumptions = {"W_Q = W_K = W_V = I", "sinusoidal positions"},
        .expected = Verdict::refuted,
        .note = "The kernel is the right one; the data are not. Attention averages x_j = e_j + p_j, the estimate of Eq "
                "3.2 averages the patches e_j alone: the two differ by the averaged positions."},
       output_is_estimate(Data::tokens),
       {{"99 percent of the positions averaged too", 0.01, output_is_estimate(Data::tokens, 0.99)}}});
  claims.push_back(
      {{.id = "boosting/thm-3.1-patches-with-positions",
        .label = "Thm 3.1 (the patches are e_j + p_j)",
        .title = "One attention layer is the weighted least squares estimate from the patches with their positions",
        .kind = Kind::identity,
        .tex =
            R"(\sum_j\mathrm{softmax}\Big(\frac{\mathbf x_i^\top\mathbf x_j}{\sqrt d}\Big)\mathbf x_j = \frac{\sum_j(\mathbf e_j+\mathbf p_j)K_{SA}(i,j)}{\sum_jK_{SA}(i,j)})",
        .assumptions = {"W_Q = W_K = W_V = I"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/thm-3.1",
        .note =
            "The clean patches that are estimated then carry their positions too. Values without positions, W_V e_j, "
            "would make the printed theorem true; Eq 2.3 has none."},
       output_is_estimate(Data::tokens_with_positions),
       {{"one percent of the positions twice", 0.01, output_is_estimate(Data::tokens_with_positions, 0.01)}}});
  claims.push_back(
      {{.id = "boosting/thm-3.1-difference",
        .label = "Thm 3.1 (the difference)",
        .title = "Attention is the estimate from the patches plus the averaged positions",
        .kind = Kind::identity,
        .tex =
            R"(\mathbf u_i = \frac{\sum_j\mathbf e_jK_{SA}(i,j)}{\sum_jK_{SA}(i,j)} + \frac{\sum_j\mathbf p_jK_{SA}(i,j)}{\sum_jK_{SA}(i,j)})",
        .assumptions = {"W_Q = W_K = W_V = I"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/thm-3.1"},
       output_is_estimate(Data::tokens, 1),
       {{"one percent less of the positions", 0.01, output_is_estimate(Data::tokens, 0.99)}}});
  claims.push_back(
      {{.id = "boosting/eq-3.3",
        .label = "Eq 3.3",
        .title = "The self-attention kernel is symmetric and positive",
        .kind = Kind::definition,
        .tex =
            R"(K_{SA}(i,j)=\exp\Big(\frac{(\mathbf y_i+\mathbf p_i)^\top(\mathbf y_j+\mathbf p_j)}{\sqrt d}\Big) = K_{SA}(j,i) > 0)",
        .assumptions = {"W_Q = W_K = I"},
        .expected = Verdict::supported,
        .note = "Positive in both senses: entry by entry, and as a matrix."},
       kernel_properties({}),
       {{"one percent of skewness in W_Q' W_K", 0.01, kernel_properties({.skew = 0.01})},
        {"the exponent negated", 1, kernel_properties({.sign = -1})}}});
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
                "near-misses."},
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
