// Section 2 and 4.1: a Gaussian random projection, W_proj ~ MN(0, I/d, I) to d_q = 128 dimensions, keeps distances.
#include <algorithm>
#include <cmath>

#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using namespace generic;
using rigor::Ball;

/// d_q/2: d |W'y|^2/|y|^2 is chi-square with d_q = 128 degrees, whose tails are sums of Poisson(x) probabilities, x
/// half the threshold: above, of 0, ..., 63; below, of 64, 65, ...
constexpr int half = 64;
/// Terms of the lower tail that are summed: the rest is less than the last times y/(J - y).
constexpr int terms = 400;

enum class Tail { upper, lower };

/// log P of the tail, and -factor (d_q/2)(e - log(1 + e)), e = epsilon above and -epsilon below.
Check tail(Tail side, double factor) {
  const bool above = side == Tail::upper;
  InequalityProblem p;
  p.relation = Relation::less_equal;
  p.lower = {0.001};
  p.upper = {above ? 30 : 0.9999};
  p.corners = {p.upper};
  p.evaluations = 200;
  p.decode = [](std::span<const double> x) { return Inputs{{"epsilon", {x[0]}}}; };
  const double sign = above ? 1 : -1;
  const int first = above ? 0 : half;
  const int last = above ? half : terms;
  p.sides = [=](const Inputs& in) -> Sides {
    const double e = sign * in.scalar("epsilon");
    const double x = half * (1 + e);
    const auto log_term = [x](int j) { return j * std::log(x) - std::lgamma(j + 1.0) - x; };
    const int mode = std::clamp(static_cast<int>(x), first, last - 1);
    double total = 0;
    for (int j = first; j < last; ++j) total += std::exp(log_term(j) - log_term(mode));
    return {log_term(mode) + std::log(total), -factor * half * (e - std::log1p(e))};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball e = sign * Ball(in.scalar("epsilon"));
    const Ball x = half * (1 + e);
    Ball term = 1;
    Ball total = 0;
    for (int j = 0; j < last; ++j) {
      if (j >= first) total += term;
      term *= x / (j + 1);
    }
    if (!above) total += Ball::hull(Ball(0), term / (1 - x / terms));
    return {log(total) - x, -Ball(factor) * half * (e - rigor::log1p(e))};
  };
  return inequality(std::move(p));
}

Check tails(double factor) {
  return composite({{"longer than expected", Kind::universal_inequality, tail(Tail::upper, factor)},
                    {"shorter than expected", Kind::universal_inequality, tail(Tail::lower, factor)}});
}

/// E |W'y|^2 for d = 2, d_q = 3 over all signs of the entries +-1/sqrt(d), which have the second moments of the
/// Gaussian ones, against factor (d_q/d)|y|^2, or factor |y|^2 where `kept`.
Check mean_square(double factor, bool kept) {
  return generic_identity({{"y", 2, -1, 1}}, [=](const Inputs& in, auto zero) {
    using Real = decltype(zero);
    const auto y = values(in, "y", 2);
    Real mean(0);
    for (unsigned signs = 0; signs < 64; ++signs)
      for (unsigned column = 0; column < 3; ++column) {
        const Real first(((signs >> (2 * column)) & 1U) != 0 ? y[0] : -y[0]);
        const Real second(((signs >> (2 * column + 1)) & 1U) != 0 ? y[1] : -y[1]);
        mean += (first + second) * (first + second) / Real(2 * 64);
      }
    const Real square = Real(y[0]) * Real(y[0]) + Real(y[1]) * Real(y[1]);
    return Pair<Real>{{mean}, {Real(factor) * square * (kept ? Real(1) : Real(1.5))}};
  });
}

/// X + 2 eta (A - I) X against theta_0 X + theta_1 L X with theta_0 = 1, theta_1 = -2 eta times `factor`, L = I - A.
Check graph_convolution(double factor) {
  constexpr std::size_t points = 3;
  constexpr std::size_t latents = 2;
  return generic_identity(
      {{"X", points * latents, -1, 1}, {"kappa", 1, 0.1, 5}, {"eta", 1, 0.05, 1}},
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const auto x = matrix<Real>(in, "X", points, latents);
        const Real eta(in.scalar("eta"));
        const auto a = softmax_rows(scale(Real(in.scalar("kappa")), outer_gram(x)));
        const auto l = add(scaled_identity(points, Real(1)), a, Real(-1));
        const auto step = add(x, multiply(add(a, scaled_identity(points, Real(1)), Real(-1)), x), Real(Real(2) * eta));
        return Pair<Real>{step.entries, add(x, multiply(l, x), Real(Real(-2 * factor) * eta)).entries};
      },
      {.scale = 1});
}

}  // namespace

Claims random_projection() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/random-projection",
        .label = "Sec 2 random projection keeps structure (JL) and W_proj ~ MN(0, I/d, I)",
        .title = "A random projection to 128 dimensions keeps distances, but for one common factor",
        .kind = Kind::universal_inequality,
        .tex =
            R"(P\Big(\frac{d\,\|W^\top y\|^2}{d_q\|y\|^2} \ge 1+\epsilon\Big) \le e^{-\frac{d_q}2(\epsilon-\log(1+\epsilon))}, \quad P\Big(\frac{d\,\|W^\top y\|^2}{d_q\|y\|^2} \le 1-\epsilon\Big) \le e^{-\frac{d_q}2(-\epsilon-\log(1-\epsilon))})",
        .assumptions = {"d_q = 128, W_ij ~ N(0, 1/d) independent", "y a difference of two data points, fixed"},
        .expected = Verdict::supported,
        .note =
            "'Certain properties' are read as the distances of the Johnson-Lindenstrauss lemma; a union bound over the "
            "pairs gives the lemma. The paper's variance 1/d shrinks every distance by about sqrt(d_q/d)."},
       tails(1),
       {{"exponent one percent larger", 0.01, tails(1.01)}}});
  claims.push_back(
      {{.id = "probdr/random-projection-scale",
        .label = "Sec 2 random projection keeps structure (JL) and W_proj ~ MN(0, I/d, I) (the common factor)",
        .title = "With variance 1/d squared distances shrink by d_q/d on average",
        .kind = Kind::identity,
        .tex = R"(W_{ij}\sim\mathcal N(0, 1/d) \ \Rightarrow\ \mathbb E\|W^\top y\|^2 = \tfrac{d_q}d\|y\|^2)",
        .assumptions = {"d = 2, d_q = 3; a mean of squares depends on the second moments of W alone, which signs have"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/random-projection",
        .note = "Variance 1/d_q would keep them; the LayerNorm that follows divides the common factor out."},
       mean_square(1, false),
       {{"one percent more", 0.01, mean_square(1.01, false)}, {"distances kept", 1, mean_square(1, true)}}});
  claims.push_back(
      {{.id = "probdr/graph-convolution-form",
        .label = "Related work: Kipf-Welling form theta0 x + theta1 L x",
        .title = "The update is a graph convolution theta_0 X + theta_1 L X",
        .kind = Kind::identity,
        .tex = R"(X + 2\eta(\tilde A - I)X = \theta_0X + \theta_1\tilde LX, \quad \theta_0 = 1,\ \theta_1 = -2\eta)",
        .assumptions = {"three points in the plane; L = I - A, the random-walk Laplacian; Kipf and Welling's is the "
                        "symmetric one"},
        .expected = Verdict::supported,
        .depends_on = {"probdr/data-gradient"}},
       graph_convolution(1),
       {{"theta_1 one percent larger", 0.01, graph_convolution(1.01)},
        {"sign of theta_1 reversed", 1, graph_convolution(-1)}}});
  return claims;
}

}  // namespace attest::probdr
