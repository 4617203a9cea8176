#include "kernels/monte_carlo/control_variate.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"
#include "kernels/softmax/softmax.hpp"
#include "tests/support/rounding.hpp"

namespace attest::monte_carlo {
namespace {

/// Values and controls averaged over a symmetric law's draws as drawn (sign 1) and negated: what is odd in them drops
/// out.
template <typename Signed>
ControlledStatistic antithetic(Signed statistic, std::size_t controls) {
  return [statistic, controls](std::uint64_t sample, std::span<double> out) {
    std::vector<double> mirrored(controls);
    const double value = statistic(sample, 1, out), other = statistic(sample, -1, mirrored);
    for (std::size_t i = 0; i < controls; ++i) out[i] = (out[i] + mirrored[i]) / 2;
    return (value + other) / 2;
  };
}

// A false alarm of one comparison: 2e-9.
constexpr double z = 6;

// The relative standard error of a sample's standard deviation is half of that of its variance, sqrt((kurtosis - 1)/n).
double spread_of_deviation(double kurtosis, double count) { return std::sqrt((kurtosis - 1) / count) / 2; }

double standard_error(const statistics::Welford& m) { return std::sqrt(m.variance() / static_cast<double>(m.count())); }

constexpr double s = 0.3, count = 20'000, pilot = 100;

// E exp(s Z) = exp(s^2 / 2), with Z^2 - 1 as the control.
double exponential_of_normal(std::uint64_t sample, int sign, std::span<double> controls) {
  random::Stream stream(11, random::stream_key("control"), sample);
  const double x = sign * stream.normal();
  controls[0] = x * x - 1;
  return std::exp(s * x);
}

template <typename Signed>
ControlledStatistic as_drawn(Signed statistic) {
  return [statistic](std::uint64_t sample, std::span<double> controls) { return statistic(sample, 1, controls); };
}

TEST(ReducedMoments, are_unbiased_where_the_mean_is_known) {
  const double exact = std::exp(s * s / 2);
  const ReducedMoments single = reduced_moments(as_drawn(exponential_of_normal), 1, count, pilot, 2);
  EXPECT_LE(std::fabs(single.reduced.mean() - exact), z * standard_error(single.reduced));
  EXPECT_LE(std::fabs(single.plain.mean() - exact), z * standard_error(single.plain));
  // Var exp(sZ) = w (w - 1) with w = e^{s^2}, and the kurtosis of this lognormal law is w^4 + 2 w^3 + 3 w^2 - 3.
  const double w = std::exp(s * s), kurtosis = std::pow(w, 4) + 2 * std::pow(w, 3) + 3 * w * w - 3;
  const double plain_error = std::sqrt(w * std::expm1(s * s) / count);
  EXPECT_NEAR(standard_error(single.plain), plain_error, z * spread_of_deviation(kurtosis, count) * plain_error);
  const ReducedMoments pairs = reduced_moments(antithetic(exponential_of_normal, 1), 1, count, pilot, 2);
  EXPECT_LE(std::fabs(pairs.reduced.mean() - exact), z * standard_error(pairs.reduced));
  // In pairs cosh(sZ) = sqrt(w) sum_k s^{2k}/(2k)! He_{2k}(Z) is left. The control He_2 = Z^2 - 1 is best taken off
  // sqrt(w) s^2/2 times; the regression on the pilot errs by the mean of He_2 He_4 over E He_2^2 = 2, times
  // sqrt(w) s^4/24, and E He_2^2 He_4^2 = 2544.
  const double best = std::sqrt(w) * s * s / 2, fourth = std::sqrt(w) * std::pow(s, 4) / 24;
  const double coefficient = pairs.coefficients[0];
  EXPECT_NEAR(coefficient, best, z * fourth * std::sqrt(2544 / pilot) / 2);
  // What remains for a given coefficient: He_2 twice the squared error, and sum_{k >= 2} w s^{4k}/(2k)!, of which He_4,
  // with variance 24 and kurtosis 639, is all but s^4/30.
  const double left =
      2 * (coefficient - best) * (coefficient - best) + 24 * fourth * fourth * (1 + std::pow(s, 4) / 30);
  EXPECT_NEAR(standard_error(pairs.reduced), std::sqrt(left / count),
              z * spread_of_deviation(639, count) * std::sqrt(left / count));
}

TEST(ReducedMoments, keep_the_mean_under_a_coefficient_that_chance_gave) {
  // A control that has nothing to do with the value: the pilot's b is noise, the mean is unharmed.
  const auto unrelated = [](std::uint64_t sample, std::span<double> controls) {
    random::Stream stream(13, random::stream_key("control"), sample);
    controls[0] = stream.normal();
    return stream.uniform();
  };
  const ReducedMoments found = reduced_moments(unrelated, 1, count, 8, 1);
  EXPECT_NE(found.coefficients[0], 0);
  EXPECT_LE(std::fabs(found.reduced.mean() - 0.5), z * standard_error(found.reduced));
}

TEST(ReducedMoments, take_controls_in_any_units_and_twice) {
  // Value 2 x + 3 y exactly: nothing is left, whatever the units and whether x is given twice.
  const auto linear = [](std::uint64_t sample, std::span<double> controls) {
    random::Stream stream(14, random::stream_key("control"), sample);
    const double x = stream.normal(), y = stream.normal();
    controls[0] = 1e-9 * x;
    controls[1] = 1e6 * y;
    controls[2] = x;
    return 2 * x + 3 * y + 1;
  };
  constexpr int controls = 3, rows = 16;
  const ReducedMoments found = reduced_moments(linear, controls, 100, rows, 1);
  // Least squares by orthogonal transformations err by rows x controls roundings times the condition, which is below 2
  // for normal draws in unit columns; a sample adds two roundings a term. No |2 x| + |3 y| + 1 of 100 exceeds 26
  // (5 standard deviations each).
  constexpr double rounding = (2 * rows * controls + 2 * (controls + 2)) * 26 * tests::unit_roundoff;
  EXPECT_NEAR(found.reduced.mean(), 1, rounding);
  EXPECT_LE(found.reduced.variance(), rounding * rounding);
}

// |softmax(c + eta) - softmax(c)|^2 with |J eta|^2 as the control, J = diag(p) - p p^T: for variance s^2 of the noise
// its mean is s^2 |J|_F^2 = s^2 (P2 - 2 P3 + P2^2), Pk = sum p^k.
struct Perturbation {
  explicit Perturbation(double noise_scale) : scale(noise_scale), p(64) {
    std::vector<double> c(p.size());
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = std::sin(static_cast<double>(i));
    softmax::softmax(c, p);
    logits = c;
    double p2 = 0, p3 = 0;
    for (const double x : p) p2 += x * x, p3 += x * x * x;
    control_mean = scale * scale * (p2 - 2 * p3 + p2 * p2);
  }
  double operator()(std::uint64_t sample, int sign, std::span<double> controls) const {
    random::Stream stream(12, random::stream_key("perturbation"), sample);
    std::vector<double> eta(p.size()), moved(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) eta[i] = sign * scale * stream.normal(), moved[i] = logits[i] + eta[i];
    softmax::softmax(moved, moved);
    const double norm = softmax::distance(moved, p);
    softmax::apply_jacobian(p, eta, eta);
    double squares = 0;
    for (const double x : eta) squares += x * x;
    controls[0] = squares - control_mean;
    return norm * norm;
  }
  double scale, control_mean = 0;
  std::vector<double> p, logits;
};

TEST(ReducedMoments, of_the_softmax_perturbation_agree_with_plain_sampling) {
  for (const double scale : {0.05, 0.5}) {
    const Perturbation perturbation(scale);
    const ReducedMoments pairs = reduced_moments(antithetic(perturbation, 1), 1, 2'000, 100, 2);
    const ReducedMoments single = reduced_moments(as_drawn(perturbation), 1, 2'000, 100, 2);
    const double difference = std::fabs(pairs.reduced.mean() - single.plain.mean());
    EXPECT_LE(difference, z * std::hypot(standard_error(pairs.reduced), standard_error(single.plain))) << scale;
    // Samples that plain sampling would need for the same interval, over ours: two evaluations per pair.
    const double gain = single.plain.variance() / pairs.reduced.variance() / 2;
    EXPECT_GE(gain, scale < 0.1 ? 1000 : 5) << scale;
  }
}

TEST(ReducedMoments, have_the_same_bits_for_any_number_of_threads) {
  const ControlledStatistic pairs = antithetic(exponential_of_normal, 1);
  const ReducedMoments expected = reduced_moments(pairs, 1, 1'000, 20, 1);
  for (const unsigned threads : {2U, 7U})
    EXPECT_EQ(reduced_moments(pairs, 1, 1'000, 20, threads).reduced.mean(), expected.reduced.mean());
}

TEST(ReducedMoments, refuse_too_few_samples) {
  EXPECT_THROW(reduced_moments(as_drawn(exponential_of_normal), 1, 1, 20, 1), std::invalid_argument);
  EXPECT_THROW(reduced_moments(as_drawn(exponential_of_normal), 1, 100, 5, 1), std::invalid_argument);
}

}  // namespace
}  // namespace attest::monte_carlo
