// Remark 3.5, Eq 3.13 and Figure 2 (left): the Lipschitz constant of softmax on a part of R^N, and at a point.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels/rigor/ball_vector.hpp"
#include "kernels/softmax/softmax.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/protocols/sequence.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallVector;

/// Largest eigenvalue of diag(p) - p p^T when `leading` weights equal mass/leading and n - leading weights share the
/// rest, leading weights being the larger ones. Vectors that sum to 0 within the leaders have the eigenvalue
/// mass/leading; a single leader leaves the vectors constant on both groups, with eigenvalue (1 - mass) a + mass b, a
/// and b the two weights.
Ball two_group_norm(double n, int leading, const Ball& mass) {
  const Ball a = mass / Ball(leading), b = (1 - mass) / Ball(n - leading);
  return leading > 1 ? a : (1 - mass) * a + mass * b;
}

/// `leading` equal weights holding 9/10 of the mass: the local constant against N^power.
Check dominated(double power) {
  std::vector<Part> parts;
  for (const int leading : {1, 2, 5}) {
    SequenceProblem p;
    p.claim = Asymptotics::same_order;
    p.n = geometric_grid(16, 4, 8);
    p.value = [leading](double n) { return two_group_norm(n, leading, Ball::from_rational(9, 10)); };
    p.reference = [power](double n) { return rigor::pow(Ball(n), Ball(power)); };
    parts.push_back({fmt::format("{} dominating", leading), Kind::rate, sequence(std::move(p))});
  }
  return composite(std::move(parts));
}

/// Encloses the largest eigenvalue of diag(p) - p p^T: on (second, first) the secular function sum p_i/(p_i - t)
/// increases from -infinity to +infinity, so certain signs at two points enclose its root.
Ball enclosed_norm(const BallVector& p, double first, double second) {
  if (!(first > second * (1 + 1e-9))) return Ball::hull(Ball(first), Ball(second));
  const auto secular = [&](double t) {
    Ball sum = 0;
    for (const Ball& weight : p) sum += weight / (weight - Ball(t));
    return sum;
  };
  double low = second, high = first;
  for (int i = 0; i < 60; ++i) {
    const double middle = low + (high - low) / 2;
    const Ball value = secular(middle);
    if (value.is_negative()) {
      low = middle;
    } else if (value.is_positive()) {
      high = middle;
    } else {
      break;
    }
  }
  return Ball::hull(Ball(low), Ball(high));
}

enum class Side { below_largest, above_second, below_half };

/// second largest weight <= local constant <= largest weight and <= 1/2, times `factor` on the weight.
Check interlacing(double factor) {
  const auto one_side = [factor](Side side) {
    InequalityProblem p;
    constexpr std::size_t n = 5;
    p.lower.assign(n, -12);
    p.upper.assign(n, 12);
    p.corners = {{0, 0, -12, -12, -12}, {0, 0, 0, 0, 0}, {3, 0, 0, 0, 0}, {1, 1, 0, 0, 0}};
    p.relation = side == Side::above_second ? Relation::greater_equal : Relation::less_equal;
    p.decode = [](std::span<const double> x) { return Inputs{{"x", {x.begin(), x.end()}}}; };
    p.sides = [=](const Inputs& in) -> Sides {
      std::vector<double> weights(in["x"].size());
      attention::softmax(in["x"], weights);
      const double norm = attention::jacobian_norm(weights);
      std::sort(weights.begin(), weights.end(), std::greater<>());
      if (side == Side::below_half) return {norm, factor / 2};
      return {norm, side == Side::below_largest ? factor * weights[0] : weights[1] * (2 - factor)};
    };
    p.ball_sides = [=](const Inputs& in) -> BallSides {
      const BallVector weights = rigor::softmax(rigor::to_balls(in["x"]));
      std::vector<double> x(in["x"].begin(), in["x"].end());
      std::vector<std::size_t> order(x.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return x[i] > x[j]; });
      const Ball &first = weights[order[0]], &second = weights[order[1]];
      // Equal largest logits make the eigenvalue the weight itself.
      const Ball norm = x[order[0]] == x[order[1]] ? first : enclosed_norm(weights, first.upper(), second.lower());
      if (side == Side::below_half) return {norm, Ball(factor) / 2};
      return {norm, side == Side::below_largest ? Ball(factor) * first : Ball(2 - factor) * second};
    };
    p.evaluations = 3000;
    return inequality(std::move(p));
  };
  return composite({{"at most the largest weight", Kind::universal_inequality, one_side(Side::below_largest)},
                    {"at least the second largest weight", Kind::universal_inequality, one_side(Side::above_second)},
                    {"at most 1/2", Kind::universal_inequality, one_side(Side::below_half)}});
}

/// The least Lipschitz constant of softmax on the logits of spread max x - min x <= s, as an enclosure. Weights there
/// are at most e^s/(e^s + N - 1), which bounds the local constant on this convex set; two leading logits of a spread s
/// attain the local constant e^s/(2 e^s + N - 2).
Ball constant_on_spread(double n, const Ball& exp_s) {
  return Ball::hull(exp_s / (2 * exp_s + Ball(n - 2)), exp_s / (exp_s + Ball(n - 1)));
}

/// That constant, on spread (1/2) log N, against factor N^power.
Check half_logarithmic_spread(double factor, double power) {
  SequenceProblem p;
  p.claim = Asymptotics::equivalent;
  p.n = geometric_grid(std::ldexp(1, 20), 16, 7);
  p.value = [](double n) { return constant_on_spread(n, rigor::sqrt(Ball(n))); };
  p.reference = [=](double n) { return Ball(factor) * rigor::pow(Ball(n), Ball(power)); };
  p.resolution = 1e-3;
  return sequence(std::move(p));
}

/// That constant, on spread 4, against factor e^4/N.
Check bounded_spread(double factor) {
  SequenceProblem p;
  p.claim = Asymptotics::equivalent;
  p.n = geometric_grid(std::ldexp(1, 12), 16, 7);
  p.value = [](double n) { return constant_on_spread(n, rigor::exp(Ball(4))); };
  p.reference = [=](double n) { return Ball(factor) * rigor::exp(Ball(4)) / Ball(n); };
  p.resolution = 1e-3;
  return sequence(std::move(p));
}

/// The local constant at (0, 0, -t, ..., -t) in R^N as t grows, against `limit`: the constant on all of R^N for any N.
Check whole_space(double limit) {
  std::vector<Part> parts;
  for (const int n : {10, 1000, 1000000}) {
    SequenceProblem p;
    p.claim = Asymptotics::limit;
    p.n = geometric_grid(16, 2, 6);
    p.value = [n](double t) { return 1 / (2 + Ball(n - 2) * rigor::exp(-Ball(t))); };
    p.reference = [limit](double) { return Ball(limit); };
    p.resolution = 1e-3;
    parts.push_back({fmt::format("N = {}", n), Kind::limit, sequence(std::move(p))});
  }
  return composite(std::move(parts));
}

}  // namespace

Claims local_lipschitz() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/remark-3.5-dominating",
        .label = "Remark 3.5 ('e.g. when a few components dominate')",
        .title = "The local Lipschitz constant decays like 1/sqrt N when a few components dominate",
        .kind = Kind::rate,
        .tex =
            R"(L_{\mathrm{loc}}(x) \asymp \frac{1}{\sqrt{N}}, \quad \textstyle\sum_{i \le m} \mathrm{softmax}(x)_i = 0.9)",
        .assumptions = {"m = 1, 2 or 5 equal components hold 9/10 of the weight, whatever N",
                        "L_loc is the norm of the Jacobian diag(p) - p p^T, the least Lipschitz constant near x"},
        .expected = Verdict::undecided,
        .note = "Domination by a few components is what keeps the constant from decaying: it is 0.9/m for m > 1 and at "
                "least 0.09 for m = 1, for every N."},
       dominated(-0.5),
       {{"order N^(-1/20)", 0.9, dominated(-0.05)}}});
  claims.push_back(
      {{.id = "boosting/remark-3.5-interlacing",
        .label = "Remark 3.5 ('e.g. when a few components dominate')",
        .title = "The local constant lies between the two largest weights",
        .kind = Kind::rate,
        .tex = R"(p_{(2)} \le L_{\mathrm{loc}}(x) \le \min\{p_{(1)}, \tfrac12\}, \quad p = \mathrm{softmax}(x))",
        .assumptions = {"x in R^N; searched at N = 5"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/remark-3.5-dominating",
        .note = "By Cauchy's interlacing for a rank-one change. So L_loc ~ 1/sqrt N needs a second weight of order "
                "1/sqrt N: about sqrt N components sharing the weight, not a few."},
       interlacing(1),
       {{"bounds tightened by one percent", 0.01, interlacing(0.99)},
        {"bounds tightened by one part in 10^4", 1e-4, interlacing(0.9999)}}});
  claims.push_back(
      {{.id = "boosting/eq-3.13",
        .label = "Remark 3.5 / Eq 3.13 ('L can behave like 1/sqrt N', so sigma L sqrt N is O(1))",
        .title = "There are sets S on which the least Lipschitz constant behaves like 1/sqrt N",
        .kind = Kind::existence,
        .tex =
            R"(\exists S \subset \mathbb{R}^N:\ L_S \sim \frac{1}{\sqrt{N}}, \quad S = \{x : \max x - \min x \le \tfrac12 \log N\})",
        .assumptions = {"S is the set of logits of spread at most (log N)/2"},
        .expected = Verdict::supported,
        .note =
            "The set must widen with N in just this way: bounded logits give 1/N (next claim), all of R^N gives 1/2. "
            "And the bound sigma L sqrt N with this L needs c + eta in S almost surely, which excludes unbounded "
            "noise.",
        .depends_on = {"boosting/remark-3.5-dominating", "boosting/fig-2-left"}},
       half_logarithmic_spread(1, -0.5),
       {{"1.01/sqrt N", 0.01, half_logarithmic_spread(1.01, -0.5)},
        {"N^(-0.51)", 0.02, half_logarithmic_spread(1, -0.51)}}});
  claims.push_back({{.id = "boosting/fig-2-left-bounded",
                     .label = "Fig 2 left",
                     .title = "On logits of bounded spread s the least Lipschitz constant is e^s/N",
                     .kind = Kind::rate,
                     .tex = R"(L_S \sim \frac{e^s}{N}, \quad S = \{x \in \mathbb{R}^N : \max x - \min x \le s\})",
                     .assumptions = {"s = 4"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "boosting/fig-2-left"},
                    bounded_spread(1),
                    {{"one percent more", 0.01, bounded_spread(1.01)}}});
  claims.push_back(
      {{.id = "boosting/fig-2-left-global",
        .label = "Fig 2 left",
        .title = "On all of R^N the least Lipschitz constant is 1/2 for every N",
        .kind = Kind::limit,
        .tex =
            R"(\sup_{x \in \mathbb{R}^N} L_{\mathrm{loc}}(x) = \lim_{t \to \infty} L_{\mathrm{loc}}(0, 0, -t, \dots, -t) = \tfrac12)",
        .assumptions = {"N = 10, 1000, 10^6", "that it is at most 1/2 is prop-3.3-half-l2"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/fig-2-left",
        .depends_on = {"boosting/prop-3.3-half-l2"}},
       whole_space(0.5),
       {{"limit 0.495", 0.01, whole_space(0.495)}}});
  return claims;
}

}  // namespace attest::boosting
