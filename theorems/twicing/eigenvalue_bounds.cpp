#include "theorems/twicing/eigenvalue_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "kernels/rigor/ball_spectrum.hpp"
#include "kernels/spectra/dense_spectrum.hpp"
#include "kernels/spectra/symmetric_spectrum.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/twicing/scalar_problem.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using rigor::Ball;
using rigor::BallMatrix;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Queries and keys in [-2, 2], then a signal u in [-1, 1]^N.
InequalityProblem with_signal(const AttentionShape& shape) {
  const std::size_t first = coordinates(shape);
  const auto tokens = static_cast<std::size_t>(shape.tokens);
  InequalityProblem p;
  p.lower.assign(first + tokens, -1);
  p.upper.assign(first + tokens, 1);
  std::fill_n(p.lower.begin(), first, -2);
  std::fill_n(p.upper.begin(), first, 2);
  p.decode = [=](std::span<const double> x) {
    Inputs inputs = queries_and_keys(x, shape);
    inputs.add("u", {x.begin() + static_cast<std::ptrdiff_t>(first), x.end()});
    return inputs;
  };
  // Two tokens that all but coincide, told apart by the signal: where definiteness is most at risk.
  std::vector<double> close(first + tokens, 1);
  close[0] = 1 + 0x1p-10;
  std::fill(close.begin() + static_cast<std::ptrdiff_t>(first), close.end(), 0);
  close[first] = 1;
  close[first + 1] = -1;
  p.corners = {close};
  return p;
}

bool admissible(const Inputs& in, const AttentionShape& shape) {
  const auto u = in["u"];
  const bool zero = std::all_of(u.begin(), u.end(), [](double value) { return value == 0; });
  return !zero && (!shape.shared || rows_distinct(in, shape));
}

}  // namespace

Check definite(const AttentionShape& shape, Relation relation, double diagonal, double allowance) {
  InequalityProblem p = with_signal(shape);
  p.relation = relation;
  // The positive terms of u^T S u against its negative ones: a slack that measures, where u^T S u > 0 has only a sign.
  p.sides = [=](const Inputs& in) -> Sides {
    if (!admissible(in, shape)) return {nan, nan};
    const auto u = in["u"];
    Eigen::MatrixXd w = weights(in, shape);
    w.diagonal() *= diagonal;
    const Eigen::MatrixXd s = spectra::symmetric_conjugate(w);
    Sides sides;
    for (Eigen::Index i = 0; i < s.rows(); ++i) {
      const double u_i = u[static_cast<std::size_t>(i)];
      sides.lhs += allowance * u_i * u_i;
      for (Eigen::Index j = 0; j < s.cols(); ++j) {
        const double term = s(i, j) * u_i * u[static_cast<std::size_t>(j)];
        (term > 0 ? sides.lhs : sides.rhs) += std::abs(term);
      }
    }
    return sides;
  };
  p.ball_sides = [=](const Inputs& in) {
    const rigor::BallVector u = rigor::to_balls(in["u"]);
    BallMatrix w = ball_weights(in, shape);
    for (std::size_t i = 0; i < w.rows; ++i) w(i, i) *= Ball(diagonal);
    const rigor::BallVector d = row_sums(w);
    BallSides sides{Ball(0), Ball(0), admissible(in, shape)};
    for (std::size_t i = 0; i < w.rows; ++i) {
      sides.lhs += Ball(allowance) * rigor::square(u[i]);
      for (std::size_t j = 0; j < w.cols; ++j) {
        const Ball term = w(i, j) / rigor::sqrt(d[i] * d[j]) * u[i] * u[j];
        (in["u"][i] * in["u"][j] > 0 ? sides.lhs : sides.rhs) += rigor::abs(term);
      }
    }
    return sides;
  };
  return inequality(std::move(p));
}

Check contraction(const AttentionShape& shape, double bound) {
  InequalityProblem p = with_signal(shape);
  p.sides = [=](const Inputs& in) -> Sides {
    const auto u = in["u"];
    const Eigen::MatrixXd s = spectra::symmetric_conjugate(weights(in, shape));
    const Eigen::Map<const Eigen::VectorXd> v(u.data(), static_cast<Eigen::Index>(u.size()));
    return {v.dot(s * v), bound * v.squaredNorm()};
  };
  p.ball_sides = [=](const Inputs& in) {
    const rigor::BallVector u = rigor::to_balls(in["u"]);
    const BallMatrix w = ball_weights(in, shape);
    const rigor::BallVector d = row_sums(w);
    rigor::BallVector scaled;
    for (std::size_t i = 0; i < u.size(); ++i) scaled.push_back(u[i] / rigor::sqrt(d[i]));
    return BallSides{rigor::dot(scaled, rigor::multiply(w, scaled)), Ball(bound) * rigor::dot(u, u)};
  };
  return inequality(std::move(p));
}

Check second_eigenvalue_at_least(double bound) {
  const AttentionShape shape{.tokens = 2, .features = 1};
  InequalityProblem p;
  p.relation = Relation::greater_equal;
  p.lower.assign(coordinates(shape), -2);
  p.upper.assign(coordinates(shape), 2);
  p.corners = {{1, -1, -1, 1}};
  p.decode = [=](std::span<const double> x) { return queries_and_keys(x, shape); };
  p.sides = [=](const Inputs& in) { return Sides{attention(in, shape).trace(), 1 + bound}; };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix a = ball_attention(in, shape);
    return BallSides{a(0, 0) + a(1, 1), Ball(1) + Ball(bound)};
  };
  return inequality(std::move(p));
}

Check real_spectrum() {
  const AttentionShape shape{.tokens = 3, .features = 2};
  InequalityProblem p;
  p.relation = Relation::greater_equal;
  p.lower.assign(coordinates(shape), -2);
  p.upper.assign(coordinates(shape), 2);
  p.decode = [=](std::span<const double> x) { return queries_and_keys(x, shape); };
  // One is added to both sides, so that rounding near 0 = 0 does not look like a violation.
  p.sides = [=](const Inputs& in) {
    const Eigen::Matrix3d a = attention(in, shape);
    const double det = a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) -
                       a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
                       a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
    return Sides{1 + (a.trace() - 1) * (a.trace() - 1), 1 + 4 * det};
  };
  p.ball_sides = [=](const Inputs& in) {
    const BallMatrix a = ball_attention(in, shape);
    const Ball det = a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) -
                     a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
                     a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
    return BallSides{Ball(1) + rigor::square(a(0, 0) + a(1, 1) + a(2, 2) - Ball(1)), Ball(1) + Ball(4) * det};
  };
  return inequality(std::move(p));
}

Check second_modulus_below(const AttentionShape& shape, double bound) {
  InequalityProblem p;
  p.relation = Relation::less;
  p.lower.assign(coordinates(shape), -2);
  p.upper.assign(coordinates(shape), 2);
  p.evaluations = 10000;
  p.decode = [=](std::span<const double> x) { return queries_and_keys(x, shape); };
  p.sides = [=](const Inputs& in) { return Sides{std::abs(spectra::eigenvalues(attention(in, shape))[1]), bound}; };
  p.ball_sides = [=](const Inputs& in) {
    const auto values = rigor::eigenvalues(ball_attention(in, shape));
    return BallSides{values ? rigor::modulus((*values)[1]) : Ball(std::numeric_limits<double>::infinity()),
                     Ball(bound)};
  };
  return inequality(std::move(p));
}

Check least_eigenvalue_above(spectra::AttentionFamily family, int tokens, double bound) {
  constexpr int features = 4;
  const AttentionShape shape = family_shape(family, tokens, features);
  InequalityProblem p;
  p.relation = Relation::greater;
  p.lower = {0};
  p.upper = {1e6};
  p.evaluations = 500;
  p.decode = [=](std::span<const double> x) {
    return family_inputs(family, tokens, features, static_cast<std::uint64_t>(x[0]));
  };
  // One is added to both sides: the least eigenvalue alone against 0 would have a sign and no size.
  p.sides = [=](const Inputs& in) {
    return Sides{1 + spectra::normalised_kernel_eigenvalues(weights(in, shape)).back(), 1 + bound};
  };
  p.ball_sides = [=](const Inputs& in) {
    const auto values = rigor::eigenvalues(ball_attention(in, shape));
    if (!values) return BallSides{Ball(std::numeric_limits<double>::infinity()), Ball(1) + Ball(bound)};
    Ball least = values->front().real;
    for (const rigor::ComplexBall& value : *values) least = rigor::min(least, value.real);
    return BallSides{Ball(1) + least, Ball(1) + Ball(bound)};
  };
  return inequality(std::move(p));
}

Check dominance_on_disc(double factor) {
  return scalar_inequality(
      {{"re", "im"}, {-1, -1}, {1, 1}}, Relation::greater_equal,
      [=](const std::vector<double>& p) {
        const std::complex<double> lambda(p[0], p[1]);
        if (!(std::norm(lambda) <= 1)) return Sides{nan, nan};
        return Sides{std::abs(lambda) * std::abs(2.0 - lambda), factor * std::abs(lambda)};
      },
      [=](const rigor::BallVector& p) {
        const rigor::ComplexBall lambda{p[0], p[1]};
        return BallSides{rigor::modulus(lambda + lambda - lambda * lambda), Ball(factor) * rigor::modulus(lambda),
                         (Ball(1) - rigor::square(p[0]) - rigor::square(p[1])).is_nonnegative()};
      },
      {{1, 0}, {0, 1}, {-1, 0}});
}

}  // namespace attest::twicing
