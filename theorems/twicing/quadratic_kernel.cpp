// Twicing, Section 3.2: quadratics p^(x) = a x + (1 - a) x^2, and 2 x - x^2 as the best of them.
#include <cmath>
#include <limits>

#include "theorems/engine/protocols/composite.hpp"
#include "theorems/twicing/scalar_problem.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallVector;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double unit_roundoff = 0x1p-53;
constexpr double largest_a = 50;

/// a x + (1 - a) x^2 (Eq 14).
template <class Number>
Number quadratic(const Number& a, const Number& x) {
  return a * x + (Number(1) - a) * x * x;
}

/// The quadratic through (0, 0), (1/2, v) and (1, at_one) against Eq 14 with a = 4 v - 1, its slope at 0.
Check form_of_the_quadratic(double at_one) {
  return scalar_identity(
      {{"v", "x"}, {-2, 0}, {2, 1}},
      [=](const std::vector<double>& p) {
        const double v = p[0], x = p[1];
        const double interpolated = 4 * v * x * (1 - x) + at_one * x * (2 * x - 1);
        return Sides{interpolated, x * ((4 * v - 1) + (2 - 4 * v) * x)};
      },
      [](const std::vector<double>&) { return 10.0; },
      [=](const BallVector& p) {
        const Ball &v = p[0], &x = p[1];
        const Ball interpolated = Ball(4) * v * x * (Ball(1) - x) + Ball(at_one) * x * (Ball(2) * x - Ball(1));
        return BallSides{interpolated, quadratic(Ball(4) * v - Ball(1), x)};
      },
      // Ten operations on terms of size at most 10.
      10 * unit_roundoff);
}

/// A quadratic with p(1) = 1 + e, e not 0, breaks one of the two conditions at x = 1: max(p(1) - 1, 1 - p(1)) > 0.
Check value_at_one(double shift) {
  return scalar_inequality(
      {{"alpha", "beta"}, {-4, -4}, {4, 4}}, Relation::greater,
      [=](const std::vector<double>& p) {
        const double at_one = p[0] + p[1];
        if (at_one == 1) return Sides{nan, nan};
        return Sides{1 + std::max(at_one - 1, 1 - shift - at_one), 1};
      },
      [=](const BallVector& p) {
        const Ball at_one = p[0] + p[1];
        return BallSides{Ball(1) + rigor::max(at_one - Ball(1), Ball(1) - Ball(shift) - at_one), Ball(1),
                         !(at_one - Ball(1)).contains_zero()};
      });
}

Check eq_14(double at_one, double shift) {
  return composite({{"both conditions at x = 1 force p(1) = 1", Kind::universal_inequality, value_at_one(shift)},
                    {"p(0) = 0 and p(1) = 1 give a x + (1 - a) x^2", Kind::identity, form_of_the_quadratic(at_one)}});
}

/// Which a a part is about.
enum class Range { outside_zero_two, at_least_two, at_most_zero };

bool in_range(double a, Range range) {
  return (a >= 2 && range != Range::at_most_zero) || (a <= 0 && range != Range::at_least_two);
}

/// p^(x) <= p^(factor lambda_a) + allowance on [0, 1] (>= for a <= 0), lambda_a = a / (2 (a - 1)).
Check extremum(Range range, double factor, double allowance) {
  const bool minimum = range == Range::at_most_zero;
  return scalar_inequality(
      {{"a", "x"},
       {minimum ? -largest_a : (range == Range::at_least_two ? 2 : -largest_a), 0},
       {minimum ? 0 : largest_a, 1}},
      minimum ? Relation::greater_equal : Relation::less_equal,
      [=](const std::vector<double>& p) {
        const double a = p[0], x = p[1];
        if (!in_range(a, range)) return Sides{nan, nan};
        const double place = factor * a / (2 * (a - 1));
        return Sides{x * (a + (1 - a) * x), place * (a + (1 - a) * place) + allowance};
      },
      [=](const BallVector& p) {
        const Ball &a = p[0], &x = p[1];
        const Ball place = Ball(factor) * a / (Ball(2) * (a - Ball(1)));
        return BallSides{quadratic(a, x), quadratic(a, place) + Ball(allowance), in_range(a.mid(), range)};
      },
      {{-1, 1}});
}

/// 0 <= lambda_a <= bound for every a outside (0, 2).
Check feasible(double bound) {
  return scalar_inequality(
      {{"a"}, {-largest_a}, {largest_a}}, Relation::less_equal,
      [=](const std::vector<double>& p) {
        if (!in_range(p[0], Range::outside_zero_two)) return Sides{nan, nan};
        return Sides{std::abs(p[0] / (2 * (p[0] - 1)) - 0.5), bound - 0.5};
      },
      [=](const BallVector& p) {
        const Ball place = p[0] / (Ball(2) * (p[0] - Ball(1)));
        return BallSides{rigor::abs(place - Ball(0.5)), Ball(bound) - Ball(0.5),
                         in_range(p[0].mid(), Range::outside_zero_two)};
      },
      {{2}, {0}});
}

/// p^(lambda_a) - p^(x) = (a - 1) (x - lambda_a)^2 for a not 1.
Check completed_square(double factor) {
  return scalar_identity(
      {{"a", "x"}, {-10, 0}, {10, 1}},
      [=](const std::vector<double>& p) {
        const double a = p[0], x = p[1];
        if (std::abs(a - 1) < 0.01) return Sides{nan, nan};
        const double place = a / (2 * (a - 1));
        return Sides{place * (a + (1 - a) * place) - x * (a + (1 - a) * x),
                     factor * (a - 1) * (x - place) * (x - place)};
      },
      // Terms: a lambda_a and (a - 1) lambda_a^2, at most a^2 / |a - 1|, and 2 |a| + 1 of p^(x).
      [](const std::vector<double>& p) { return p[0] * p[0] / std::abs(p[0] - 1) + 2 * std::abs(p[0]) + 1; },
      [=](const BallVector& p) {
        const Ball &a = p[0], &x = p[1];
        const Ball place = a / (Ball(2) * (a - Ball(1)));
        return BallSides{quadratic(a, place) - quadratic(a, x), Ball(factor) * (a - Ball(1)) * rigor::square(x - place),
                         rigor::certainly_less(Ball(0.01), rigor::abs(a - Ball(1)))};
      },
      // Twelve operations; lambda_a carries 2u into products that the scale already counts.
      16 * unit_roundoff);
}

Check maximum_amended(double factor) {
  return composite(
      {{"a >= 2: maximum at lambda_a", Kind::universal_inequality, extremum(Range::at_least_two, factor, 0)},
       {"a <= 0: minimum at lambda_a", Kind::universal_inequality, extremum(Range::at_most_zero, factor, 0)},
       {"lambda_a in [0, 1]", Kind::universal_inequality, feasible(1)},
       {"completed square", Kind::identity, completed_square(1)}});
}

/// p^(lambda_a) - 1 = (a - root)^2 / (4 (a - 1)): zero at a = root only.
Check unique_root(double root) {
  return scalar_identity(
      {{"a"}, {-10}, {10}},
      [=](const std::vector<double>& p) {
        const double a = p[0];
        if (std::abs(a - 1) < 0.01) return Sides{nan, nan};
        return Sides{a * a / (4 * (a - 1)) - 1, (a - root) * (a - root) / (4 * (a - 1))};
      },
      [](const std::vector<double>& p) { return p[0] * p[0] / (4 * std::abs(p[0] - 1)) + 1; },
      [=](const BallVector& p) {
        const Ball& a = p[0];
        return BallSides{quadratic(a, a / (Ball(2) * (a - Ball(1)))) - Ball(1),
                         rigor::square(a - Ball(root)) / (Ball(4) * (a - Ball(1))),
                         rigor::certainly_less(Ball(0.01), rigor::abs(a - Ball(1)))};
      },
      // Five operations on either side; (a - 2)^2 / |4 (a - 1)| is at most the scale plus one.
      12 * unit_roundoff);
}

/// Every feasible quadratic lies below `best` x + (1 - best) x^2 (best = 2 in the paper): 1 <= a <= 2.
Check dominated(double best) {
  return scalar_inequality(
      {{"a", "x"}, {1, 0}, {2, 1}}, Relation::less_equal,
      [=](const std::vector<double>& p) {
        return Sides{p[1] * (p[0] + (1 - p[0]) * p[1]), p[1] * (best + (1 - best) * p[1])};
      },
      [=](const BallVector& p) {
        return BallSides{quadratic(p[0], p[1]), quadratic(Ball(best), p[1])};
      });
}

/// a > largest exceeds 1 somewhere on [0, 1]: p^(lambda_a) > 1.
Check infeasible_above(double largest) {
  return scalar_inequality(
      {{"a"}, {largest}, {largest_a}}, Relation::greater,
      [=](const std::vector<double>& p) {
        if (!(p[0] > largest)) return Sides{nan, nan};
        return Sides{p[0] * p[0] / (4 * (p[0] - 1)), 1};
      },
      [=](const BallVector& p) {
        return BallSides{quadratic(p[0], p[0] / (Ball(2) * (p[0] - Ball(1)))), Ball(1), p[0].mid() > largest};
      },
      {{largest * (1 + 1e-3)}, {2}});
}

/// a < 1 falls below x inside (0, 1).
Check infeasible_below(double least) {
  return scalar_inequality(
      {{"a", "x"}, {-largest_a, 0}, {least, 1}}, Relation::less,
      [=](const std::vector<double>& p) {
        if (!(p[0] < least && p[1] > 0 && p[1] < 1)) return Sides{nan, nan};
        return Sides{p[0] + (1 - p[0]) * p[1], 1};
      },
      [=](const BallVector& p) {
        return BallSides{quadratic(p[0], p[1]), p[1],
                         p[0].mid() < least && p[1].is_positive() && rigor::certainly_less(p[1], Ball(1))};
      });
}

Check optimal(double best, double largest, double least) {
  return composite({{"2 x - x^2 dominates 1 <= a <= 2", Kind::universal_inequality, dominated(best)},
                    {"a > 2 exceeds 1", Kind::universal_inequality, infeasible_above(largest)},
                    {"a < 1 falls below x", Kind::universal_inequality, infeasible_below(least)}});
}

}  // namespace

Claims quadratic_kernel() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/eq-14",
        .label = "Eq 14",
        .title = "The admissible quadratics are a x + (1 - a) x^2",
        .kind = Kind::identity,
        .tex =
            R"(\hat p(0)=0,\ \hat p(x) \ge x,\ \hat p(x)\le 1 \text{ on } [0,1] \implies \hat p(1)=1,\ \hat p(x) = ax + (1-a)x^2)",
        .assumptions = {"p^ is a quadratic with p^(0) = 0"},
        .expected = Verdict::supported},
       eq_14(1, 0),
       {{"p(1) = 1.01", 0.01, eq_14(1.01, 0)}, {"p(1) >= 0.99 already forces it", 0.01, eq_14(1, 0.01)}}});
  claims.push_back(
      {{.id = "twicing/sec-3.2-maximum",
        .label = "Sec 3.2 (maximum at lambda_a, feasible for a not in (0,2))",
        .title = "p^ attains its maximum over [0, 1] at lambda_a = a / (2(a-1)) for all a outside (0, 2)",
        .kind = Kind::optimality,
        .tex = R"(\max_{[0,1]}\hat p = \hat p(\lambda_a),\quad \lambda_a = \frac{a}{2(a-1)},\ a \notin (0,2))",
        .assumptions = {"a in [-50, 0] or [2, 50]"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note =
            "'p^ attains its maximum at lambda_a, which is feasible for all a not in (0, 2)'. Feasible it is, which "
            "is judged apart; but for a <= 0 the quadratic is convex and lambda_a is its minimum. The condition of "
            "enhancement excludes a < 1, so that nothing is lost for a = 2.",
        .depends_on = {"twicing/eq-14"}},
       extremum(Range::outside_zero_two, 1, 0),
       {},
       {{"a >= 2 only", 1, extremum(Range::at_least_two, 1, 0)}}});
  claims.push_back({{.id = "twicing/sec-3.2-feasible",
                     .label = "Sec 3.2 (lambda_a in [0, 1] for a not in (0,2))",
                     .title = "lambda_a lies in [0, 1] for all a outside (0, 2)",
                     .kind = Kind::universal_inequality,
                     .tex = R"(\Bigl|\frac{a}{2(a-1)}-\frac12\Bigr|=\frac1{2|a-1|}\le\frac12,\quad a \notin (0,2))",
                     .assumptions = {"a in [-50, 0] or [2, 50]"},
                     .expected = Verdict::supported,
                     .note = "Attained at a = 0 and a = 2."},
                    feasible(1),
                    {{"at most 0.999", 0.001, feasible(0.999)}}});
  claims.push_back({{.id = "twicing/sec-3.2-maximum-amended",
                     .label = "Sec 3.2 (maximum at lambda_a, feasible for a not in (0,2), amended)",
                     .title = "lambda_a is the maximum for a >= 2 and the minimum for a <= 0",
                     .kind = Kind::optimality,
                     .tex = R"(\hat p(\lambda_a) - \hat p(x) = (a-1)(x-\lambda_a)^2)",
                     .assumptions = {"a not 1", "a in [-50, 0] or [2, 50] in the first three parts"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "twicing/sec-3.2-maximum"},
                    maximum_amended(1),
                    {{"place of the maximum one percent off", 0.01, maximum_amended(1.01)},
                     {"lambda_a at most 0.999", 0.001, feasible(0.999), "lambda_a in [0, 1]"},
                     {"square 0.1 percent larger", 0.001, completed_square(1.001), "completed square"}}});
  claims.push_back({{.id = "twicing/sec-3.2-unique-solution",
                     .label = "Sec 3.2 (p^(lambda_a) = 1 has the unique solution a = 2)",
                     .title = "p^(lambda_a) = 1 only for a = 2",
                     .kind = Kind::identity,
                     .tex = R"(\hat p(\lambda_a) - 1 = \frac{a^2}{4(a-1)} - 1 = \frac{(a-2)^2}{4(a-1)})",
                     .assumptions = {"a in [-10, 10], |a - 1| > 0.01"},
                     .expected = Verdict::supported,
                     .note = "The identity shows the only zero, a = 2, which is double.",
                     .depends_on = {"twicing/sec-3.2-maximum"}},
                    unique_root(2),
                    {{"a = 2.02", 0.01, unique_root(2.02)}, {"a = 2 + 2e-9", 1e-9, unique_root(2 * (1 + 1e-9))}}});
  claims.push_back(
      {{.id = "twicing/sec-3.2-optimal",
        .label = "Sec 3.2 optimal quadratic",
        .title = "2x - x^2 is the best quadratic that enhances eigenvalues and stays below 1",
        .kind = Kind::universal_inequality,
        .tex = R"(x \le ax+(1-a)x^2 \le 1 \text{ on } [0,1] \iff 1 \le a \le 2,\quad ax+(1-a)x^2 \le 2x - x^2)",
        .assumptions = {"p^(0) = 0", "eigenvalues in [0, 1]", "|a| <= 50"},
        .expected = Verdict::supported,
        .note = "Without p^(0) = 0 the constant 1 would be better than any of them.",
        .depends_on = {"twicing/eq-14", "twicing/sec-3.2-unique-solution"}},
       optimal(2, 2, 1),
       {{"1.98 x - 0.98 x^2 is as good", 0.01, optimal(1.98, 2, 1)},
        {"a > 1.98 already exceeds 1", 0.01, optimal(2, 1.98, 1)},
        {"a < 1.01 already falls below x", 0.01, optimal(2, 2, 1.01)}}});
  return claims;
}

}  // namespace attest::twicing
