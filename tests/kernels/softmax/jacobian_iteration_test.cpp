#include "kernels/softmax/jacobian_iteration.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"
#include "kernels/softmax/softmax.hpp"
#include "kernels/streams/operations.hpp"
#include "tests/support/rounding.hpp"

namespace attest::softmax {
namespace {

using random::Law;

std::vector<double> normals(std::size_t n, std::uint64_t sample, double scale = 1) {
  random::Stream stream(2, random::stream_key("jacobian"), sample);
  std::vector<double> x(n);
  for (double& value : x) value = scale * stream.normal();
  return x;
}

// Relative: where the iterations stop, what the secular equation promises, and the least gap to the next eigenvalue.
constexpr double residual = 1e-7, secular_equation = 1e-13, gap = 1e-3;

TEST(JacobianPowerIteration, finds_the_largest_eigenvalue) {
  for (const std::size_t n : {2U, 17U, 1000U, 40'001U}) {
    std::vector<double> p = normals(n, n, 4), v = normals(n, n + 1);
    softmax::softmax(p, p);
    const double exact = jacobian_norm(p);
    const PowerIteration found = jacobian_power_iteration(p, v, {residual, 5000, 2});
    EXPECT_LE(found.residual, residual * found.norm) << n;
    // A Rayleigh quotient: below the eigenvalue, and an error of residual^2 over the gap.
    EXPECT_LE(found.norm, exact * (1 + secular_equation)) << n;
    EXPECT_GE(found.norm, exact * (1 - secular_equation - residual * residual / gap)) << n;
  }
}

TEST(JacobianPowerIteration, leaves_an_eigenvector) {
  std::vector<double> p = normals(300, 5, 3), v = normals(300, 6), image(300);
  softmax::softmax(p, p);
  const PowerIteration found = jacobian_power_iteration(p, v, {residual, 5000, 1});
  apply_jacobian(p, v, image);
  // v = J u for the unit vector u whose residual is known: |J v - norm v| <= norm |J u - norm u|, and its rounding.
  const double error = found.norm * (found.residual + 4 * tests::unit_roundoff);
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(image[i], found.norm * v[i], error);
}

TEST(JacobianPowerIteration, of_drawn_logits_is_that_of_the_same_logits_kept) {
  const streams::Noise logits{Law::laplace(), 2, 11, 12};
  std::vector<double> c(40'032), v = normals(40'001, 1), w = v;
  streams::operations<double>().back()->draw(logits.law, {11, 12, 3}, 0, c.data(), c.size());
  c.resize(v.size());
  for (double& x : c) x *= logits.scale;
  softmax::softmax(c, c);
  const PowerIteration drawn = jacobian_power_iteration(logits, 3, v, {residual, 200, 2});
  // Exponentials of differences below 40, twice each in the norm, on two sides.
  constexpr double rounding = 2 * 2 * (40 + 4) * tests::unit_roundoff;
  EXPECT_NEAR(drawn.norm, jacobian_power_iteration(c, w, {residual, 200, 2}).norm, rounding * drawn.norm);
}

TEST(JacobianPowerIteration, has_the_same_bits_for_any_number_of_threads) {
  const streams::Noise logits{Law::gaussian(), 2, 11, 12};
  std::vector<double> first = normals(60'000, 9);
  const double expected = jacobian_power_iteration(logits, 1, first, {residual, 50, 1}).norm;
  for (const unsigned threads : {2U, 7U}) {
    std::vector<double> v = normals(60'000, 9);
    EXPECT_EQ(jacobian_power_iteration(logits, 1, v, {residual, 50, threads}).norm, expected);
    EXPECT_EQ(v, first);
  }
}

TEST(LipschitzSearch, reaches_one_half_and_never_exceeds_it) {
  // An ascent by a move m of the logits gains at least m of what is missing; the search ends where that is below 1e-12
  // of the norm, and never moves by less than 1e-6. As |J| <= 2 p (1 - p) for the largest p, this one is then that near
  // to 1/2, and by the secular equation the second differs by twice what is missing besides.
  constexpr double missing = 0.5 * 1e-12 / 1e-6, rounding = 8 * tests::unit_roundoff;
  const double from_half = std::sqrt(missing / 2) + 2 * missing;
  for (const std::size_t n : {2U, 10U, 1000U})
    for (const double scale : {0.01, 1.0, 5.0}) {
      std::vector<double> c = normals(n, 20 + n, scale);
      const LipschitzSearch found = search_lipschitz(c, 3, 400, 1);
      EXPECT_GE(found.norm, found.start) << n << ' ' << scale;
      EXPECT_LE(found.norm, 0.5 * (1 + rounding)) << n << ' ' << scale;
      EXPECT_GT(found.norm, 0.5 - missing) << n << ' ' << scale;
      EXPECT_NEAR(found.top[0], 0.5, from_half);
      EXPECT_NEAR(found.top[1], 0.5, from_half);
    }
}

TEST(JacobianPowerIteration, refuses_what_is_no_softmax) {
  std::vector<double> p{1, 2}, v{1}, w{1, 1}, nothing{0, 0};
  EXPECT_THROW(jacobian_power_iteration(p, v, {}), std::invalid_argument);
  EXPECT_THROW(jacobian_power_iteration(nothing, w, {}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::softmax
