// Bounds of our own with constants that are attained: how negative the form of L~ can be, how large the data term, how
// large and how small the regulariser on the sphere, how large its gradient.
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/probdr/crowds.hpp"
#include "theorems/probdr/wishart.hpp"

namespace attest::probdr {
namespace {

using namespace engine;

/// -v'(I - softmax(X X')) v <= factor (sqrt n - 1)/2 v'v, n = 4: written with v'v on both sides.
Check least_form(double factor) {
  constexpr std::size_t n = 4;
  return generic_inequality({{"X", n * 2, -16, 16}, {"v", n, -1, 1}}, Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto x = matrix<Real>(in, "X", n, 2);
                              const auto v = matrix<Real>(in, "v", n, 1);
                              auto a = outer_gram(x);
                              for (std::size_t i = 0; i < n; ++i) {
                                Real largest = a(i, 0);
                                for (std::size_t j = 1; j < n; ++j)
                                  if (positive(Real(a(i, j) - largest))) largest = a(i, j);
                                Real total(0);
                                for (std::size_t j = 0; j < n; ++j) total += a(i, j) = exp(a(i, j) - largest);
                                for (std::size_t j = 0; j < n; ++j) a(i, j) /= total;
                              }
                              // (sqrt 4 - 1)/2 + 1 = 3/2.
                              return Pair<Real>{{inner_product(v, multiply(a, v))},
                                                {Real(1.5 * factor) * inner_product(v, v)},
                                                positive(Real(inner_product(v, v) - Real(0.01)))};
                            },
                            {.evaluations = 2000, .corners = {{16, 0, 1, 0, 1, 0, 1, 0, 0.75, 0.25, 0.25, 0.25}}});
}

/// tr(L~ X X') <= factor (n - |sum_i x_i|^2/n), for crowds.
Check largest_data_term(std::size_t places, double factor) {
  return generic_inequality(crowd_blocks(places, 0.5), Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              bool admissible = true;
                              const auto tokens = crowds<Real>(in, places, admissible);
                              const auto a = crowd_adjacency(tokens, power_of_two<Real>(in, "log2 kappa"));
                              Real n(0);
                              Matrix<Real> sum(1, crowd_dimension);
                              for (std::size_t i = 0; i < places; ++i) {
                                n += tokens.copies[i];
                                for (std::size_t k = 0; k < crowd_dimension; ++k)
                                  sum(0, k) += tokens.copies[i] * tokens.x(i, k);
                              }
                              const Real scatter = n - inner_product(sum, sum) / n;
                              return Pair<Real>{{-crowd_product(tokens, tokens.x, diffusion(a, tokens.x))},
                                                {Real(factor) * scatter},
                                                admissible && positive(Real(scatter - Real(1e-4)))};
                            },
                            {.evaluations = 1500, .corners = crowd_corners(places, 0.5)});
}

constexpr std::size_t rows = 5;

/// log2 beta from -20 to 3: beta from 10^-6 to 8.
std::vector<Block> circle_blocks() { return {{"angles", rows, -3.2, 3.2}, {"log2 beta", 1, -20, 3}}; }

/// det(X'X + beta I) for rows on the circle: det(XX' + beta I)/beta^(n-2).
template <class Real>
Real small_determinant(const Inputs& in, const Real& beta) {
  return determinant(covariance(transpose(rows_on_circle<Real>(in, rows)), beta));
}

/// det(XX' + beta I) <= factor beta^(n-2) (n/2 + beta)^2.
Check largest_rate(double factor) {
  return generic_inequality(circle_blocks(), Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const Real beta = power_of_two<Real>(in, "log2 beta");
                              const Real side = Real(rows / 2.0) + beta;
                              return Pair<Real>{{small_determinant(in, beta)}, {Real(factor) * side * side}};
                            },
                            {.evaluations = 1000, .corners = {{0, 1.256637, 2.513274, -2.513274, -1.256637, -4}}});
}

/// det(XX' + beta I) >= factor beta^(n-1) (n + beta).
Check least_rate(double factor) {
  return generic_inequality(circle_blocks(), Relation::greater_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const Real beta = power_of_two<Real>(in, "log2 beta");
                              return Pair<Real>{{small_determinant(in, beta)},
                                                {Real(factor) * beta * (Real(static_cast<double>(rows)) + beta)}};
                            },
                            {.evaluations = 1000, .corners = {{0, 0, 0, 0, 0, 0}}});
}

/// 4 beta |(XX' + beta I)^-1 X|_F^2 <= factor min(n, d), n = 3, d = 2.
Check largest_gradient(double factor) {
  return generic_inequality({{"X", 6, -2, 2}, {"log2 beta", 1, -20, 3}}, Relation::less_equal,
                            [=](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto x = matrix<Real>(in, "X", 3, 2);
                              const Real beta = power_of_two<Real>(in, "log2 beta");
                              // (XX' + beta I)^-1 X = X (X'X + beta I)^-1.
                              const auto push = multiply(x, inverse(covariance(transpose(x), beta)));
                              return Pair<Real>{{Real(4) * beta * inner_product(push, push)}, {Real(2 * factor)}};
                            },
                            {.evaluations = 1000, .corners = {{1, 0, 0, 1, 0, 0, 0}}});
}

}  // namespace

Claims sharp_bounds() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/softmax-laplacian-least",
        .label = "Sec 3 L~ = I - softmax is a graph Laplacian / Wishart scale (how negative v'L~v is)",
        .title = "The form of L~ is at least -(sqrt n - 1)/2, and no better",
        .kind = Kind::universal_inequality,
        .tex = R"(v^\top\tilde Lv\ge-\frac{\sqrt n-1}2\,|v|^2)",
        .assumptions = {"any X, judged for four rows in the plane with entries up to 16; L~ = I - softmax(X X')"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/softmax-laplacian-symmetric",
        .note = "For any row-stochastic A: v'Av <= sum_i |v_i| max_j |v_j|, and that is at most (1 + sqrt n)/2 |v|^2. "
                "Attained in the limit where all attend to one token. So L~ made symmetric would not do as a Wishart "
                "scale either."},
       least_form(1),
       {{"a thousandth less", 0.001, least_form(0.999)}}});
  claims.push_back(
      {{.id = "probdr/data-term-largest",
        .label = "Sec 3 global minimum of the data term (its maximum)",
        .title = "On the sphere the data term is at most the scatter of the rows",
        .kind = Kind::universal_inequality,
        .tex =
            R"(|\mathbf x_i|=1\ \Rightarrow\ \mathrm{tr}(\tilde{\mathbf L}\mathbf X\mathbf X^\top)\le n-\tfrac1n\bigl|\textstyle\sum_i\mathbf x_i\bigr|^2=\sum_i|\mathbf x_i-\bar{\mathbf x}|^2)",
        .assumptions = {"no mask; crowds at two and at five places of the unit sphere of R^4, 1 to 64 tokens at each, "
                        "kappa from 2^-7 to 10^4; the scatter at least 10^-4"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/optimum-on-sphere",
        .note = "A softmax weighs the larger cosines more, so that its mean of them is at least the plain mean "
                "(Chebyshev). Attained as kappa -> 0."},
       composite({{"two places", Kind::universal_inequality, largest_data_term(2, 1)},
                  {"five places", Kind::universal_inequality, largest_data_term(5, 1)}}),
       {{"two places, one percent less", 0.01, largest_data_term(2, 0.99), "two places"},
        {"five places, one percent less", 0.01, largest_data_term(5, 0.99), "five places"}}});
  claims.push_back(
      {{.id = "probdr/regulariser-range",
        .label = "Sec 3 regulariser step followed by LayerNorm (the range of the regulariser)",
        .title = "On the sphere the regulariser lies between its value at collapse and that at evenly spread rows",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\beta^{n-1}(n+\beta)\le\det(\mathbf X\mathbf X^\top+\beta\mathbf I)\le\beta^{n-r}\bigl(\tfrac nr+\beta\bigr)^r,\qquad |\mathbf x_i|=1,\ r=d_q-1\le n)",
        .assumptions = {"judged for five rows on the circle (d_q = 3, r = 2), beta from 10^-6 to 8"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/regulariser-step",
        .note = "The squared singular values are r numbers of sum n: their product with beta added is greatest where "
                "they agree and least where one has all. The blocks lead to the lower end "
                "(probdr/blocks-collapse-to-a-point)."},
       composite({{"above", Kind::universal_inequality, largest_rate(1)},
                  {"below", Kind::universal_inequality, least_rate(1)}}),
       {{"above, a thousandth less", 0.001, largest_rate(0.999), "above"},
        {"below, a thousandth more", 0.001, least_rate(1.001), "below"}}});
  claims.push_back(
      {{.id = "probdr/logdet-gradient-largest",
        .label = "Sec 3 approximation 2(XX'+bI)^-1 X ~ 2/(d_q+b) X (how large the gradient is)",
        .title = "The gradient of the regulariser is at most the root of min(n, d_q)/(4 beta), twice",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\bigl|(\mathbf X\mathbf X^\top+\beta\mathbf I)^{-1}\mathbf X\bigr|_F\le\sqrt{\frac{\min(n,d_q)}{4\beta}})",
        .assumptions = {"any X, judged for three rows in the plane with entries up to 2, beta from 10^-6 to 8"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/logdet-gradient-constant",
        .note =
            "s/(s^2 + beta) is at most 1/(2 sqrt beta) for a singular value s, and attains it at s = sqrt beta: the "
            "printed constant 1/(d_q + beta) misses that growth for small beta."},
       largest_gradient(1),
       {{"a thousandth less", 0.001, largest_gradient(0.999)}}});
  return claims;
}

}  // namespace attest::probdr
