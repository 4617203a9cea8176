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

/// The least Lipschitz constant of softmax on the convex set of logits in which the first leads every other by at least
/// `lead` log n. There p_j <= n^-lead p_1, so p_1 >= m = 1/(1 + (n - 1) n^-lead); where m > 1/2, p_1 (1 - p_1) is at
/// most m (1 - m). By Cauchy's inequality on diag(p) - p p^T split at the first component, the local constant is at
/// most p_1 (1 - p_1) + 2 n^-lead; equal others give exactly m (1 - m) n/(n - 1).
Ball constant_under_a_leader(double n, const Ball& lead) {
  const Ball behind = rigor::pow(Ball(n), -lead);
  const Ball m = 1 / (1 + Ball(n - 1) * behind);
  return Ball::hull(m * (1 - m) * n / (n - 1), m * (1 - m) + 2 * behind);
}

/// That constant against factor/sqrt(n).
Check under_a_leader(double factor, double lead) {
  SequenceProblem p;
  p.claim = Asymptotics::equivalent;
  p.n = geometric_grid(std::ldexp(1, 20), 16, 7);
  p.value = [lead](double n) { return constant_under_a_leader(n, Ball(lead)); };
  p.reference = [factor](double n) { return Ball(factor) / rigor::sqrt(Ball(n)); };
  p.resolution = 3e-4;
  return sequence(std::move(p));
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

enum class Side { below_largest, above_second, below_half, above_leader, below_leader };

/// The logits of a search: n numbers in [-12, 12] on a few levels, so that ties, crowds and single leaders occur.
InequalityProblem over_logits(std::size_t n) {
  InequalityProblem p;
  p.lower.assign(n, -12);
  p.upper.assign(n, 12);
  std::vector<double> leader(n, 0.0), crowd(n, -12.0), pair(n, -12.0);
  leader[0] = 3;
  for (std::size_t i = 0; i < (n + 1) / 2; ++i) crowd[i] = 1;
  pair[0] = pair[1] = 0;
  std::vector<double> far(n, -4.0);
  far[0] = 4;
  p.corners = {std::vector<double>(n, 0.0), leader, crowd, pair, far};
  p.decode = [](std::span<const double> x) { return Inputs{{"x", {x.begin(), x.end()}}}; };
  p.evaluations = 2000;
  return p;
}

/// The local constant as an enclosure.
Ball local_constant(const Inputs& in, const BallVector& weights) {
  std::vector<double> x(in["x"].begin(), in["x"].end());
  std::vector<std::size_t> order(x.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return x[i] > x[j]; });
  const Ball &first = weights[order[0]], &second = weights[order[1]];
  // Equal largest logits make the eigenvalue the weight itself.
  return x[order[0]] == x[order[1]] ? first : enclosed_norm(weights, first.upper(), second.lower());
}

/// One inequality on the local constant: the second largest weight <= it <= the largest weight and <= 1/2, or
/// n/(n - 1) max p (1 - p) <= it <= 2 max p (1 - p). `factor` below 1 tightens each.
Check one_side(Side side, std::size_t n, double factor) {
  InequalityProblem p = over_logits(n);
  const bool above = side == Side::above_second || side == Side::above_leader;
  p.relation = above ? Relation::greater_equal : Relation::less_equal;
  p.sides = [=](const Inputs& in) -> Sides {
    std::vector<double> weights(n);
    attention::softmax(in["x"], weights);
    const double norm = attention::jacobian_norm(weights);
    double spread = 0;
    for (const double w : weights) spread = std::max(spread, w * (1 - w));
    std::sort(weights.begin(), weights.end(), std::greater<>());
    switch (side) {
      case Side::below_half:
        return {norm, factor / 2};
      case Side::below_largest:
        return {norm, factor * weights[0]};
      case Side::above_second:
        return {norm, (2 - factor) * weights[1]};
      case Side::below_leader:
        return {norm, factor * 2 * spread};
      case Side::above_leader:
        return {norm, (2 - factor) * spread * n / (n - 1.0)};
    }
    return {};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const BallVector weights = rigor::softmax(rigor::to_balls(in["x"]));
    const Ball norm = local_constant(in, weights);
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    const auto x = in["x"];
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return x[i] > x[j]; });
    Ball spread = 0;
    for (const Ball& w : weights) spread = rigor::max(spread, w * (1 - w));
    switch (side) {
      case Side::below_half:
        return {norm, Ball(factor) / 2};
      case Side::below_largest:
        return {norm, Ball(factor) * weights[order[0]]};
      case Side::above_second:
        return {norm, Ball(2 - factor) * weights[order[1]]};
      case Side::below_leader:
        return {norm, Ball(factor) * 2 * spread};
      case Side::above_leader:
        return {norm, Ball(2 - factor) * spread * static_cast<double>(n) / (n - 1.0)};
    }
    return {};
  };
  return inequality(std::move(p));
}

Check sides_at(const std::vector<std::pair<Side, std::string>>& sides, double factor) {
  std::vector<Part> parts;
  for (const auto& [side, name] : sides)
    for (const std::size_t n : {2U, 5U, 24U})
      parts.push_back({fmt::format("{}, N = {}", name, n), Kind::universal_inequality, one_side(side, n, factor)});
  return composite(std::move(parts));
}

Check interlacing(double factor) {
  return sides_at({{Side::below_largest, "at most the largest weight"},
                   {Side::above_second, "at least the second largest weight"},
                   {Side::below_half, "at most 1/2"}},
                  factor);
}

Check between_leaders(double factor) {
  return sides_at({{Side::above_leader, "at least"}, {Side::below_leader, "at most"}}, factor);
}

/// The local constant at logits in [0, s] is at most factor e^s/(2 e^s + n - 2), for n logits and s in [0, 12].
Check on_a_range(std::size_t n, double factor) {
  InequalityProblem p = over_logits(n);
  p.lower.assign(n + 1, 0);
  p.upper.assign(n + 1, 1);
  p.upper.back() = 12;
  std::vector<double> pair(n + 1, 0.0);
  pair[0] = pair[1] = 1;
  pair.back() = 3;
  p.corners = {pair};
  pair.back() = 0.5;
  p.corners.push_back(pair);
  p.decode = [n](std::span<const double> x) {
    std::vector<double> logits(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
    for (double& v : logits) v *= x.back();
    return Inputs{{"x", logits}, {"s", {x.back()}}};
  };
  p.sides = [=](const Inputs& in) -> Sides {
    std::vector<double> weights(n);
    attention::softmax(in["x"], weights);
    const double e = std::exp(in.scalar("s"));
    return {attention::jacobian_norm(weights), factor * e / (2 * e + n - 2.0)};
  };
  p.ball_sides = [=](const Inputs& in) -> BallSides {
    const Ball e = rigor::exp(Ball(in.scalar("s")));
    const auto [least, most] = std::minmax_element(in["x"].begin(), in["x"].end());
    return {local_constant(in, rigor::softmax(rigor::to_balls(in["x"]))), Ball(factor) * e / (2 * e + n - 2.0),
            *most - *least <= in.scalar("s")};
  };
  return inequality(std::move(p));
}

Check on_ranges(double factor) {
  std::vector<Part> parts;
  for (const std::size_t n : {2U, 3U, 8U, 24U})
    parts.push_back({fmt::format("N = {}", n), Kind::universal_inequality, on_a_range(n, factor)});
  return composite(std::move(parts));
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
        .title = "Where one component leads by 1.5 log N the least Lipschitz constant is 1/sqrt N",
        .kind = Kind::rate,
        .tex =
            R"(L_S \sim \frac{1}{\sqrt{N}}, \quad S = \{x \in \mathbb{R}^N : x_1 \ge x_j + \tfrac32 \log N \text{ for } j \ge 2\})",
        .assumptions =
            {"'can behave' is read as: on some sets S in which a component dominates",
             "L_S is the constant of Eq 3.13, the largest local constant on this convex set; N = 2^20 to 2^44"},
        .expected = Verdict::supported,
        .note =
            "The leader's weight must tend to 1 at this very rate: by boosting/remark-3.5-two-sided the constant is "
            "max p (1 - p) to within a factor of 2. Leaders that hold a fixed share of the weight below 1, or two "
            "that stay close, keep it from decaying."},
       under_a_leader(1, 1.5),
       {{"1.001/sqrt N", 0.001, under_a_leader(1.001, 1.5)},
        {"a lead of 1.49 log N", 0.007, under_a_leader(1, 1.49)}}});
  claims.push_back(
      {{.id = "boosting/remark-3.5-two-sided",
        .label = "Remark 3.5 (the local constant and the weights)",
        .title = "The local constant is the largest p (1 - p) to within a factor of 2",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\frac{N}{N-1}\max_i p_i(1-p_i) \le L_{\mathrm{loc}}(x) \le 2\max_i p_i(1-p_i), \quad p = \mathrm{softmax}(x))",
        .assumptions = {"judged at N = 2, 5 and 24, logits in [-12, 12]"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/remark-3.5-dominating",
        .note = "For every N: the lower bound is the variance of e_i - 1/N, the upper one Gershgorin's. The lower is "
                "attained by one leader over equal others, the upper at N = 2."},
       between_leaders(1),
       {{"both tightened by 0.1 percent, N = 2", 0.001, one_side(Side::below_leader, 2, 0.999)},
        {"lower bound tightened by 0.1 percent, N = 24", 0.001, one_side(Side::above_leader, 24, 0.999)},
        {"upper bound tightened by a half, all N", 0.5, between_leaders(0.5)}}});
  claims.push_back(
      {{.id = "boosting/remark-3.5-interlacing",
        .label = "Remark 3.5 ('e.g. when a few components dominate')",
        .title = "The local constant lies between the two largest weights",
        .kind = Kind::rate,
        .tex = R"(p_{(2)} \le L_{\mathrm{loc}}(x) \le \min\{p_{(1)}, \tfrac12\}, \quad p = \mathrm{softmax}(x))",
        .assumptions = {"x in R^N; judged at N = 2, 5 and 24, logits in [-12, 12]"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/remark-3.5-dominating",
        .note = "By Cauchy's interlacing for a rank-one change."},
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
        .note = "One such family of sets, beside that of boosting/remark-3.5-dominating. The bound sigma L sqrt N with "
                "this L needs c + eta in S almost surely, which excludes unbounded noise."},
       half_logarithmic_spread(1, -0.5),
       {{"1.01/sqrt N", 0.01, half_logarithmic_spread(1.01, -0.5)},
        {"N^(-0.51)", 0.02, half_logarithmic_spread(1, -0.51)}}});
  claims.push_back({{.id = "boosting/fig-2-left-range",
                     .label = "Fig 2 left (logits in a range)",
                     .title = "On logits of spread at most s the least Lipschitz constant is e^s/(2 e^s + N - 2)",
                     .kind = Kind::universal_inequality,
                     .tex = R"(L_{\mathrm{loc}}(x) \le \frac{e^s}{2e^s+N-2} \quad\text{where } \max x - \min x \le s)",
                     .assumptions = {"judged at N = 2, 3, 8 and 24, s in [0, 12]"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "boosting/fig-2-left",
                     .note = "Attained at every N and s by two logits s and N - 2 logits 0."},
                    on_ranges(1),
                    {{"lowered by 0.1 percent", 0.001, on_ranges(0.999)}}});
  claims.push_back({{.id = "boosting/fig-2-left-bounded",
                     .label = "Fig 2 left",
                     .title = "On logits of bounded spread s the least Lipschitz constant is e^s/N",
                     .kind = Kind::rate,
                     .tex = R"(L_S \sim \frac{e^s}{N}, \quad S = \{x \in \mathbb{R}^N : \max x - \min x \le s\})",
                     .assumptions = {"s = 4"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "boosting/fig-2-left",
                     .depends_on = {"boosting/fig-2-left-range"}},
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
