// Figure 6 and what is read from it: residual attention makes tokens similar, boosting less so, and this supports
// Proposition 4.1.
#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/awaiting.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

/// X + softmax(X X' / sqrt d) X: a layer with residual connection and identity projections.
template <class Real>
Matrix<Real> residual_layer(const Matrix<Real>& x) {
  const Real root = sqrt(Real(static_cast<double>(x.cols)));
  return add(weighted_average(scale(Real(Real(1) / root), dot_products(x, x)), x), x, Real(1));
}

/// The mean of cos(x_i, x_j) over i < j: what figure 6 plots for every layer.
template <class Real>
Real mean_cosine(const Matrix<Real>& x) {
  const auto products = dot_products(x, x);
  Real sum(0);
  double pairs = 0;
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = 0; j < i; ++j, ++pairs) sum += products(i, j) / sqrt(products(i, i) * products(j, j));
  return sum / Real(pairs);
}

template <class Real>
Real mean_length(const Matrix<Real>& x) {
  Real sum(0);
  for (const Real& square : squared_norms(x)) sum += sqrt(square);
  return sum / Real(static_cast<double>(x.rows));
}

/// Where a layer raises the cosine of two tokens, their mean length falls to factor times what it was, or lower.
Check similar_means_vanishing(double factor) {
  return generic_inequality({{"X", 4, -2, 2}}, Relation::less_equal,
                            [factor](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto x = matrix<Real>(in, "X", 2, 2);
                              const auto y = residual_layer(x);
                              const bool more_similar = positive(Real(mean_cosine(y) - mean_cosine(x)));
                              return Pair<Real>{{mean_length(y)}, {Real(factor) * mean_length(x)}, more_similar};
                            },
                            {.evaluations = 800, .corners = {{1, 0, 0, 1}}});
}

/// Two tokens in one place, a long one far from them, and a short one beside them: a layer lowers their mean cosine by
/// more than `drop`.
Check can_separate(double drop) {
  EnumerationProblem p;
  p.domain = "one set of four tokens in the plane";
  p.cases = 1;
  p.relation = Relation::less;
  p.case_inputs = [](std::int64_t) { return Inputs{{"X", {3, 0, 3, 0, 0.01, 0, -15, 26}}}; };
  p.ball_sides = [drop](const Inputs& in) -> BallSides {
    const auto x = matrix<Ball>(in, "X", 4, 2);
    return {mean_cosine(residual_layer(x)), mean_cosine(x) - drop};
  };
  return enumerate(std::move(p));
}

/// The widest distance between tokens at most doubles, times factor: halved, they lie in the old ones' convex hull.
Check spread_at_most_doubles(double factor) {
  constexpr std::size_t n = 12, d = 4;
  std::vector<double> apart(n * d, 0);
  apart[0] = 3;
  apart[d] = -3;
  return generic_inequality({{"X", n * d, -3, 3}}, Relation::less_equal,
                            [factor](const Inputs& in, auto zero) {
                              using Real = decltype(zero);
                              const auto x = matrix<Real>(in, "X", n, d);
                              const auto y = residual_layer(x);
                              const auto widest = [](const Matrix<Real>& a) {
                                using rigor::max;
                                using std::max;
                                Real most(0);
                                for (const Real& distance : squared_distances(a, a).entries) most = max(most, distance);
                                return most;
                              };
                              return Pair<Real>{{widest(y)}, {Real(4 * factor) * widest(x)}};
                            },
                            {.evaluations = 1500, .corners = {apart}});
}

}  // namespace

Claims over_smoothing() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/fig-6",
        .label = "Fig 6 / Sec 4-5 (over-smoothing)",
        .title = "With residual connections tokens become similar layer by layer; boosting alleviates it",
        .kind = Kind::figure,
        .tex =
            R"(\overline{\cos}(\mathbf Y_{\ell+1}) \gtrsim \overline{\cos}(\mathbf Y_\ell),\quad \text{less so with boosting})",
        .assumptions = {"trained networks"},
        .expected = Verdict::undecided,
        .note = "A curve of trained networks, plotted without numbers. That it supports Proposition 4.1 is judged by "
                "itself, and so is what one layer without learned weights must do."},
       awaits("the mean cosine similarity after every block of trained DeiT-tiny and DeiT-tiny + Boost, at least five "
              "seeds each, on the same thousand images",
              "it is a measurement on trained weights, and the paper prints no number to recompute"),
       {}});
  claims.push_back(
      {{.id = "boosting/fig-6-supports-prop-4.1",
        .label = "Fig 6 / Sec 4-5 (over-smoothing) (supports Proposition 4.1)",
        .title = "Tokens that become similar lose their salient information, which is their length",
        .kind = Kind::implication,
        .tex =
            R"(\overline{\cos}(\mathbf Y_{\ell+1}) > \overline{\cos}(\mathbf Y_\ell) \ \Rightarrow\ \overline{\|\mathbf y_{\ell+1}\|} \le \overline{\|\mathbf y_\ell\|})",
        .assumptions = {"salient information is measured by the length of a token, as in Proposition 4.1",
                        "one layer with residual connection, identity projections, two tokens in the plane"},
        .expected = Verdict::refuted,
        .finding = Finding::unsupported,
        .note = "'Supporting the claim of Proposition 4.1', whose salient information is the norm of a token, by "
                "average cosine similarities. Cosines do not see lengths: a residual layer on two orthogonal tokens "
                "makes them similar and longer. The figure shows similarity, not loss of norm.",
        .depends_on = {"boosting/fig-6", "boosting/unbounded-indices-vanish"}},
       similar_means_vanishing(1),
       {},
       {{"three times the length allowed", 2, similar_means_vanishing(3)}}});
  claims.push_back(
      {{.id = "boosting/fig-6-one-layer",
        .label = "Fig 6 / Sec 4-5 (over-smoothing) (one layer)",
        .title = "A residual attention layer can make tokens less similar",
        .kind = Kind::existence,
        .tex = R"(\exists\mathbf Y:\ \overline{\cos}(\mathbf Y+\mathbf A\mathbf Y) < \overline{\cos}(\mathbf Y))",
        .assumptions = {"identity projections"},
        .expected = Verdict::certified,
        .printed = false,
        .amends = "boosting/fig-6",
        .note = "A short token in a group is drawn away from it by a long one elsewhere. So smoothing is a "
                "tendency, not a law of the layer."},
       can_separate(0),
       {{"by a half", 1, can_separate(0.5)}}});
  claims.push_back(
      {{.id = "boosting/fig-6-convex-hull",
        .label = "Fig 6 / Sec 4-5 (over-smoothing) (a law of the layer)",
        .title = "A residual attention layer at most doubles the widest distance between tokens",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\max_{i,j}|\mathbf y_i'-\mathbf y_j'| \le 2\max_{i,j}|\mathbf y_i-\mathbf y_j|,\quad \mathbf Y' = \mathbf Y+\mathbf A\mathbf Y)",
        .assumptions = {"A stochastic, identity values; judged for softmax weights on twelve tokens in R^4"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/fig-6",
        .note = "(I + A)/2 is stochastic: halved, the tokens lie in the convex hull of the old ones."},
       spread_at_most_doubles(1),
       {{"one percent less", 0.01, spread_at_most_doubles(0.99)}}});
  return claims;
}

}  // namespace attest::boosting
