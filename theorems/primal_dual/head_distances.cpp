// Section 4, Table 4: distances between heads as a measure of their diversity.
#include <algorithm>
#include <cmath>
#include <concepts>

#include "theorems/engine/protocols/awaiting.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/primal_dual/finite_features.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using engine::Relation;
using rigor::Ball;

constexpr std::size_t keys = 3;

template <class Real>
using Vector = std::vector<Real>;

template <class Real>
Real distance_squared(const Vector<Real>& a, const Vector<Real>& b) {
  Real sum(0);
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

template <class Real>
Real cosine(const Vector<Real>& a, const Vector<Real>& b) {
  using std::sqrt;
  return inner_product(a, b) / sqrt(Real(inner_product(a, a) * inner_product(b, b)));
}

// The attention row with these similarities.
template <class Real>
Vector<Real> attention_row(std::span<const double> similarities) {
  Real total(0);
  for (const double entry : similarities) total += Real(entry);
  Vector<Real> row;
  for (const double entry : similarities) row.push_back(Real(entry) / total);
  return row;
}

double positive_part(double x) { return std::max(x, 0.0); }
Ball positive_part(const Ball& x) { return rigor::max(x, Ball(0)); }

// Two pairs of heads, a row of attention each: max(|c - d|^2 - factor |a - b|^2, 0) (cos(c, d) - cos(a, b)) <= 0.
engine::Check farther_is_less_alike(double factor) {
  const engine::Layout box({{"a", keys, 0, 9}, {"b", keys, 0, 9}, {"c", keys, 0, 9}, {"d", keys, 0, 9}});
  engine::InequalityProblem problem;
  search_over(problem, box);
  const auto product = [factor](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    const auto row = [&](const char* name) { return attention_row<Real>(values(inputs, name, keys)); };
    const auto a = row("a");
    const auto b = row("b");
    const auto c = row("c");
    const auto d = row("d");
    const Real farther = positive_part(Real(distance_squared(c, d) - Real(factor) * distance_squared(a, b)));
    return Real(farther * (cosine(c, d) - cosine(a, b)));
  };
  problem.sides = [product](const Inputs& inputs) -> engine::Sides { return {product(inputs, 0.0), 0}; };
  problem.ball_sides = [product](const Inputs& inputs) -> engine::BallSides {
    return {product(inputs, Ball(0)), Ball(0)};
  };
  problem.corners = {box.point(Inputs{{"a", {1, 1, 0}}, {"b", {0, 0, 1}}, {"c", {1, 0, 0}}, {"d", {1, 9, 0}}})};
  problem.evaluations = 1500;
  return engine::inequality(std::move(problem));
}

// |a - b|^2 = 2 r^2 (1 - factor cos(a, b)) for two vectors of length r.
engine::Check at_equal_length(double factor) {
  const engine::Layout layout({{"a", keys, -2, 2}, {"b", keys, -2, 2}, {"r", 1, 0.1, 4}});
  const auto sides = [factor](const Inputs& inputs, auto zero) {
    using std::sqrt;
    using Real = decltype(zero);
    const Real r(inputs.scalar("r"));
    auto a = as<Real>(values(inputs, "a", keys));
    auto b = as<Real>(values(inputs, "b", keys));
    const Real lengths[] = {sqrt(inner_product(a, a)), sqrt(inner_product(b, b))};
    for (std::size_t j = 0; j < keys; ++j) {
      a[j] = r * a[j] / lengths[0];
      b[j] = r * b[j] / lengths[1];
    }
    engine::Pair<Real> pair{{distance_squared(a, b)}, {Real(2) * r * r * (Real(1) - Real(factor) * cosine(a, b))}};
    // A vector of length 0 has no direction. In doubles the search passes over it by itself, as not a number.
    if constexpr (std::same_as<Real, Ball>) pair.admissible = pair.lhs[0].is_finite() && pair.rhs[0].is_finite();
    return pair;
  };
  return engine::generic_identity(layout, sides, {.evaluations = 400, .rounding_bound = 64 * 0x1p-53, .scale = 64});
}

// |a - b|^2 <= bound for two rows of attention.
engine::Check rows_are_close(double bound) {
  const engine::Layout box({{"a", keys, 0, 9}, {"b", keys, 0, 9}});
  engine::InequalityProblem problem;
  search_over(problem, box);
  const auto distance = [](const Inputs& inputs, auto zero) {
    using Real = decltype(zero);
    return distance_squared(attention_row<Real>(values(inputs, "a", keys)),
                            attention_row<Real>(values(inputs, "b", keys)));
  };
  problem.sides = [distance, bound](const Inputs& inputs) -> engine::Sides { return {distance(inputs, 0.0), bound}; };
  problem.ball_sides = [distance, bound](const Inputs& inputs) -> engine::BallSides {
    return {distance(inputs, Ball(0)), Ball(bound)};
  };
  problem.corners = {box.point(Inputs{{"a", {1, 0, 0}}, {"b", {0, 1, 0}}})};
  problem.evaluations = 1000;
  return engine::inequality(std::move(problem));
}

// The printed means of Table 4 in hundredths are above sqrt(2) * factor.
engine::Check printed_means_exceed(double factor) {
  engine::EnumerationProblem problem;
  problem.domain = "the four means of Table 4";
  problem.cases = 4;
  problem.relation = Relation::greater;
  problem.case_inputs = [](std::int64_t i) {
    constexpr double means[] = {201, 245, 381, 319};
    return Inputs{{"mean in hundredths", {means[i]}}};
  };
  problem.ball_sides = [factor](const Inputs& inputs) -> engine::BallSides {
    return {Ball(inputs.scalar("mean in hundredths")), Ball(100) * rigor::sqrt(Ball(2)) * Ball(factor)};
  };
  return engine::enumerate(std::move(problem));
}

// A mean of Table 4 is above factor times another: all of ours above softmax, Attention-SH above all.
engine::Check order_of_means(double factor) {
  engine::EnumerationProblem problem;
  problem.domain = "the printed means of Table 4, in pairs";
  problem.cases = 5;
  problem.relation = Relation::greater;
  problem.case_inputs = [](std::int64_t i) {
    constexpr double pairs[][2] = {{245, 201}, {381, 201}, {319, 201}, {381, 245}, {381, 319}};
    return Inputs{{"means in hundredths", {pairs[i][0], pairs[i][1]}}};
  };
  problem.ball_sides = [factor](const Inputs& inputs) -> engine::BallSides {
    const auto means = inputs["means in hundredths"];
    return {Ball(means[0]), Ball(factor) * Ball(means[1])};
  };
  return engine::enumerate(std::move(problem));
}

engine::Check not_rows(double bound, double factor) {
  return engine::composite(
      {{"rows are at most sqrt(2) apart", engine::Kind::universal_inequality, rows_are_close(bound)},
       {"printed means", engine::Kind::figure, printed_means_exceed(factor)}});
}

}  // namespace

engine::Claims head_distances() {
  engine::Claim metric;
  metric.statement = {
      .id = "primal-dual/table-4-metric",
      .label = "Table 4 (metric)",
      .title = "Layer-average mean and standard deviation of L2 distances between heads",
      .kind = engine::Kind::definition,
      .tex = R"(\text{distance between heads} = 2.01,\ 2.45,\ 3.81,\ 3.19)",
      .assumptions = {"models of Appendix A.2: two layers, two heads"},
      .expected = engine::Verdict::undecided,
      .note =
          "The paper does not say distances of what. Attention matrices of heads with the factors [1, 2] have "
          "different shapes, N x N and N x N/2, and no difference; rows of attention are too close for these numbers "
          "(next statement); outputs of heads remain. With two heads a layer has one distance, so that the deviation "
          "must be over inputs."};
  metric.check =
      engine::awaits("the authors' definition of the distance, then a measurement on trained retrieval models",
                     "the metric is named and not defined");

  engine::Claim rows;
  rows.statement = {
      .id = "primal-dual/table-4-not-rows",
      .label = "Table 4 (not a distance of attention rows)",
      .title = "The printed means exceed every mean of distances between rows of attention",
      .kind = engine::Kind::universal_inequality,
      .tex = R"(\|a-b\| \le \sqrt2 < 2.01\quad\text{for } a, b \ge 0,\ \textstyle\sum_j a_j = \sum_j b_j = 1)",
      .assumptions = {"heads with the same number of keys"},
      .expected = engine::Verdict::supported,
      .printed = false,
      .amends = "primal-dual/table-4-metric"};
  rows.check = not_rows(2, 1);
  rows.near_misses = {{"|a - b|^2 at most 1.99", 0.005, not_rows(1.99, 1)},
                      {"means above 1.43 sqrt(2)", 0.43, not_rows(2, 1.43)}};

  engine::Claim printed;
  printed.statement = {
      .id = "primal-dual/table-4-redundancy",
      .label = "Table 4 (\"greater L2 distance => less redundancy\")",
      .title = "Heads farther apart are less alike",
      .kind = engine::Kind::universal_inequality,
      .tex = R"(\|c-d\| > \|a-b\|\ \Rightarrow\ \cos(c,d) \le \cos(a,b))",
      .assumptions =
          {"alike measured by the cosine of two rows of attention: 0 for heads that look at different keys, 1 "
           "for equal ones"},
      .expected = engine::Verdict::refuted,
      .finding = engine::Finding::unsupported,
      .note =
          "\"All our introduced attentions attain greater L2 distances ..., reducing the risk of learning redundant "
          "heads\": the conclusion does not follow from the distances; that the heads are not more diverse is not "
          "shown. Two heads that share no key can be closer than two that do, if their attention is spread: distance "
          "measures sharpness beside diversity. For heads of equal length it does order them (next statement).",
      .depends_on = {"primal-dual/table-4-metric"}};
  printed.check = farther_is_less_alike(1);
  printed.near_hits = {{"with a squared distance more than ten times as large", 9, farther_is_less_alike(10)}};

  engine::Claim amended;
  amended.statement = {.id = "primal-dual/table-4-equal-lengths",
                       .label = "Table 4 (at equal lengths)",
                       .title = "For heads of equal length distance and cosine order pairs alike",
                       .kind = engine::Kind::identity,
                       .tex = R"(\|a-b\|^2 = 2r^2\big(1-\cos(a,b)\big)\quad\text{for } \|a\| = \|b\| = r)",
                       .assumptions = {"all heads compared have the same length"},
                       .expected = engine::Verdict::supported,
                       .printed = false,
                       .amends = "primal-dual/table-4-redundancy"};
  amended.check = at_equal_length(1);
  amended.near_misses = {{"cosine one percent larger", 0.01, at_equal_length(1.01)}};

  engine::Claim order;
  order.statement = {.id = "primal-dual/table-4-order",
                     .label = "Table 4 (\"all our introduced attentions attain greater L2 distances\")",
                     .title = "All three attentions have larger means than softmax, and Attention-SH the largest",
                     .kind = engine::Kind::figure,
                     .tex = R"(3.81 > 3.19,\ 2.45,\ 2.01;\qquad 2.45,\ 3.19 > 2.01)",
                     .assumptions = {"the means as printed; of what, see the statement on the metric"},
                     .expected = engine::Verdict::certified};
  order.check = order_of_means(1);
  order.near_misses = {{"by more than 20 percent", 0.2, order_of_means(1.2)}};
  return {metric, order, rows, printed, amended};
}

}  // namespace attest::primal_dual
