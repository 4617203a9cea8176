// Remark 1, for every attention matrix: the tokens under 2A - A^2 are never closer together than under A.
//
// (A + s A (I - A))^n V = (I + s (I - A))^n Y with Y = A^n V, for the factors commute. For a column w let i be the
// place of its largest entry: (w + s (w - A w))_i >= w_i, since the rows of A are weights. So the largest entry never
// falls, in any direction: the convex hull of the tokens contains that of Y. Twicing is s = 1; no symmetry is needed.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/rigor/ball_vector.hpp"
#include "kernels/spectra/attention_matrices.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/twicing/attention_point.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallMatrix;
using rigor::BallVector;
using spectra::AttentionFamily;

constexpr int features = 4;
constexpr int most_tokens = 64;
constexpr int most_steps = 64;

/// What is claimed: steps s in [least_step, most_step], rows of A that sum to `row_sum`, and `margin` of the spread of
/// A^n v more than contained.
struct Hull {
  double least_step = 1;
  double most_step = 1;
  double row_sum = 1;
  double margin = 0;
};

/// (A + s A (I - A))^n v, by smoothing the residual.
Eigen::VectorXd iterate(const Eigen::MatrixXd& a, Eigen::VectorXd v, int n, double s) {
  for (int step = 0; step < n; ++step) {
    const Eigen::VectorXd once = a * v;
    v = s == 0 ? once : Eigen::VectorXd(once + s * (a * (v - once)));
  }
  return v;
}

/// The same by the polynomial (1 + s) A - s A^2.
BallVector iterate(const BallMatrix& a, BallVector v, int n, double s) {
  for (int step = 0; step < n; ++step) {
    const BallVector once = rigor::multiply(a, v);
    v = s == 0
            ? once
            : rigor::subtract(rigor::scale(Ball(1) + Ball(s), once), rigor::scale(Ball(s), rigor::multiply(a, once)));
  }
  return v;
}

Ball largest(const BallVector& v) {
  Ball most = v.front();
  for (const Ball& entry : v) most = rigor::max(most, entry);
  return most;
}
Ball least(const BallVector& v) { return -largest(rigor::scale(Ball(-1), v)); }

/// max_i ((A + s A (I - A))^n v)_i >= max_i (A^n v)_i + margin (max A^n v - min A^n v).
void contain(InequalityProblem& p, AttentionShape shape, Hull hull) {
  p.relation = Relation::greater_equal;
  const auto of_inputs = [=](const Inputs& in) {
    AttentionShape own = shape;
    own.tokens = static_cast<int>(in["v"].size());
    return own;
  };
  p.sides = [=](const Inputs& in) {
    const Eigen::MatrixXd a = hull.row_sum * attention(in, of_inputs(in));
    const auto given = in["v"];
    const Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(given.data(), static_cast<Eigen::Index>(given.size()));
    const int n = static_cast<int>(in.scalar("n"));
    const Eigen::VectorXd plain = iterate(a, v, n, 0);
    const Eigen::VectorXd wider = iterate(a, v, n, in.scalar("s"));
    return Sides{wider.maxCoeff(), plain.maxCoeff() + hull.margin * (plain.maxCoeff() - plain.minCoeff()),
                 std::max(wider.cwiseAbs().maxCoeff(), v.cwiseAbs().maxCoeff())};
  };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix a = rigor::scale(Ball(hull.row_sum), ball_attention(in, of_inputs(in)));
    const BallVector v = rigor::to_balls(in["v"]);
    const int n = static_cast<int>(in.scalar("n"));
    const BallVector plain = iterate(a, v, n, 0);
    const BallVector wider = iterate(a, v, n, in.scalar("s"));
    const Ball top = largest(plain);
    const double size = std::max({std::abs(largest(wider).mid()), std::abs(least(wider).mid()),
                                  std::abs(largest(v).mid()), std::abs(least(v).mid())});
    const double s = in.scalar("s");
    return BallSides{largest(wider), top + Ball(hull.margin) * (top - least(plain)),
                     s >= hull.least_step && s <= hull.most_step, size};
  };
}

/// Two causal tokens of one feature, searched directly.
Check two_tokens(Hull hull, bool causal) {
  const AttentionShape shape{.tokens = 2, .features = 1, .causal = causal};
  const std::size_t first = coordinates(shape);
  InequalityProblem p;
  p.lower.assign(first + 4, -3);
  p.upper.assign(first + 4, 3);
  p.lower[first + 2] = 1, p.upper[first + 2] = most_steps + 1 - 0x1p-20;
  p.lower[first + 3] = hull.least_step, p.upper[first + 3] = hull.most_step;
  p.corners = {{1, 1, 1, -1, 1, 0, 1, hull.least_step}};
  p.evaluations = 3000;
  p.decode = [=](std::span<const double> x) {
    Inputs inputs = queries_and_keys(x, shape);
    inputs.add("v", {x[first], x[first + 1]});
    inputs.add("n", {std::floor(x[first + 2])});
    inputs.add("s", {x[first + 3]});
    return inputs;
  };
  contain(p, shape, hull);
  return inequality(std::move(p));
}

/// Random members of a family with 2 to 64 tokens and a random signal.
Check of_family(AttentionFamily family, Hull hull) {
  InequalityProblem p;
  p.lower = {0, 2, 1, hull.least_step};
  p.upper = {1e6, most_tokens + 1 - 0x1p-20, most_steps + 1 - 0x1p-20, hull.most_step};
  p.evaluations = 200;
  p.decode = [=](std::span<const double> x) {
    const auto sample = static_cast<std::uint64_t>(x[0]);
    const int tokens = static_cast<int>(x[1]);
    Inputs inputs = family_inputs(family, tokens, features, sample);
    const Eigen::MatrixXd v = spectra::random_normal_matrix(tokens, 1, 1, 0, sample);
    inputs.add("v", {v.data(), v.data() + v.size()});
    inputs.add("n", {std::floor(x[2])});
    inputs.add("s", {x[3]});
    return inputs;
  };
  contain(p, family_shape(family, most_tokens, features), hull);
  return inequality(std::move(p));
}

Check hull_of_tokens(Hull hull) {
  std::vector<Part> parts{{"two tokens", Kind::universal_inequality, two_tokens(hull, false)},
                          {"two tokens, causal", Kind::universal_inequality, two_tokens(hull, true)}};
  for (const AttentionFamily family : {AttentionFamily::asymmetric, AttentionFamily::causal, AttentionFamily::peaked,
                                       AttentionFamily::shared_projection, AttentionFamily::near_uniform})
    parts.push_back({spectra::name(family), Kind::universal_inequality, of_family(family, hull)});
  return composite(std::move(parts));
}

}  // namespace

Claims hull_of_the_tokens() {
  const std::string domain =
      "2 to 64 tokens, n up to 64, random queries and keys of five families beside a search over "
      "two tokens";
  Claims claims;
  claims.push_back(
      {{.id = "twicing/remark-1",
        .label = "Remark 1",
        .title =
            "With 2A - A^2 the tokens are never closer together than with A: their convex hull contains that of A^n V",
        .kind = Kind::universal_inequality,
        .tex =
            R"(\operatorname{conv}\{\text{rows of }(2A-A^2)^nV\}\supseteq\operatorname{conv}\{\text{rows of }A^nV\},)"
            R"(\quad\text{i.e. }\max_i\bigl((2A-A^2)^nv\bigr)_i\ge\max_i(A^nv)_i\text{ for every } v)",
        .assumptions = {"A row-stochastic: any queries and keys, causal or not, the same A at each step", domain},
        .expected = Verdict::supported,
        .note =
            "'The convergence to a degenerate solution is significantly slower' read as: never faster, whatever the "
            "attention matrix; by how much is judged where W is symmetric. For every n: the factors of (2A - A^2)^n "
            "= (2I - A)^n A^n commute, and at the largest entry of w = A^n v no step 2w - A w falls. That the output "
            "still converges is not so for every attention matrix, and is judged apart.",
        .depends_on = {"twicing/eq-10"}},
       hull_of_tokens({}),
       {{"rows that sum to 1.001", 0.001, hull_of_tokens({.row_sum = 1.001})},
        {"0.1 percent of the spread more", 0.001, two_tokens({.margin = 0.001}, true), "two tokens, causal"}}});
  claims.push_back(
      {{.id = "twicing/hull-any-step",
        .label = "Remark 1 (any multiple of the smoothed residual)",
        .title = "A V + s A (V - A V) keeps the convex hull of the tokens at least as large for every s >= 0",
        .kind = Kind::universal_inequality,
        .tex = R"(\max_i\bigl((A+sA(I-A))^nv\bigr)_i\ge\max_i(A^nv)_i,\quad s\ge0)",
        .assumptions = {"A row-stochastic", "s in [0, 4]", domain},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/remark-1",
        .note = "Equality at s = 0, and under a causal mask where the first token is extreme: no positive share of the "
                "spread can be added."},
       hull_of_tokens({.least_step = 0, .most_step = 4}),
       {{"rows that sum to 1.001", 0.001, hull_of_tokens({.least_step = 0.5, .most_step = 4, .row_sum = 1.001})},
        {"0.1 percent of the spread more", 0.001, two_tokens({.least_step = 0, .most_step = 4, .margin = 0.001}, true),
         "two tokens, causal"},
        {"s of either sign", 1, two_tokens({.least_step = -0.1, .most_step = 4}, false), "two tokens"}}});
  return claims;
}

}  // namespace attest::twicing
