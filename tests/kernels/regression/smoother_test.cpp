#include "kernels/regression/smoother.hpp"

#include <cmath>
#include <cstring>
#include <numbers>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/device/devices.hpp"
#include "kernels/regression/kernel.hpp"
#include "kernels/streams/operations.hpp"
#include "tests/support/rounding.hpp"

namespace attest::regression {
namespace {

const Kernel& kernel_of(SmoothingKernel kernel) {
  if (kernel == SmoothingKernel::gaussian) return find_kernel("gaussian");
  return find_kernel(kernel == SmoothingKernel::uniform ? "uniform" : "epanechnikov");
}

constexpr SmoothingKernel kernels[] = {SmoothingKernel::gaussian, SmoothingKernel::epanechnikov,
                                       SmoothingKernel::uniform};

std::vector<Smoother> examples() {
  std::vector<Smoother> all;
  for (const SmoothingKernel kernel : kernels)
    for (const Observations observations : {Observations::grid, Observations::random})
      for (const std::uint64_t n : {400ULL, 40'001ULL})
        all.push_back({kernel,
                       kernel == SmoothingKernel::uniform ? SmoothedCurve::exponential : SmoothedCurve::bump,
                       observations,
                       n,
                       0.3,
                       0.11,
                       {4, 5, 6}});
  return all;
}

std::vector<double> positions(const Smoother& s) {
  std::vector<double> x((s.n + 31) / 32 * 32);
  streams::operations<double>().back()->draw(random::Law::uniform(), s.stream, 0, x.data(), x.size());
  for (double& value : x) value /= std::numbers::sqrt3;
  x.resize(s.n);
  if (s.observations == Observations::grid)
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(2 * i + 1) / static_cast<double>(s.n) - 1;
  return x;
}

/// The formula over all observations, nothing cut off.
SmootherRisk by_definition(const Smoother& s, Form form) {
  const auto m = [&](double x) { return s.curve == SmoothedCurve::bump ? std::exp(-x * x / 2) : std::exp(x); };
  long double weights = 0, errors = 0, squares = 0;
  for (const double x : positions(s)) {
    const long double w = kernel_of(s.kernel)(form, (s.x - x) / s.h);
    weights += w;
    errors += w * (m(x) - m(s.x));
    squares += w * w;
  }
  return {static_cast<double>(errors / weights), static_cast<double>(squares / weights / weights)};
}

bool same_bits(const SmootherRisks& a, const SmootherRisks& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(SmootherSteps, are_the_kernels_of_the_regression) {
  for (const SmoothingKernel kernel : kernels)
    for (double u = -3; u <= 3; u += 0.0625) {
      if (kernel == SmoothingKernel::uniform && std::fabs(u) == 1) continue;  // its jump
      const auto pair = kernel_pair_steps(kernel, u);
      EXPECT_NEAR(pair.plain, kernel_of(kernel).value(u), Kernel::value_error) << u;
      EXPECT_NEAR(pair.convolved, kernel_of(kernel).self_convolution(u), Kernel::value_error) << u;
    }
}

// Four kernels' errors over weights that are not below a hundredth of the kernel's value at 0.
constexpr double variance_error = 4 * Kernel::value_error / 0.02;
// What is left out of a sum is below 2^-53 of one weight, and a sum of a million rounds a million times at most.
constexpr double little = 1e6 * tests::unit_roundoff;

TEST(Smoother, has_the_bias_and_variance_of_the_formula) {
  for (const Smoother& s : examples()) {
    const SmootherRisks risks = smoother_risks(s, 2);
    for (const auto& [risk, form] : {std::pair{risks.plain, Form::plain}, std::pair{risks.twiced, Form::twiced}}) {
      const SmootherRisk expected = by_definition(s, form);
      // The kernels themselves agree to value_error.
      EXPECT_NEAR(risk.bias, expected.bias, risk.bias_bound + 20 * Kernel::value_error) << s.n;
      EXPECT_NEAR(risk.variance, expected.variance, variance_error * expected.variance) << s.n;
      EXPECT_LT(risk.bias_bound, little);
    }
  }
}

TEST(Smoother, has_bias_of_order_two_plain_and_four_twiced) {
  const auto at = [](double h) {
    return smoother_risks({SmoothingKernel::gaussian, SmoothedCurve::bump, Observations::grid, 1'000'000, 0, h, {}}, 2);
  };
  // h^2/2 (1 - 3/4 h^2 + ...) and 3/4 h^4 (1 - 5/2 h^2 + ...), both alternating; differences of h^2 are in the order.
  const SmootherRisks wide = at(0.04), narrow = at(0.02);
  constexpr double between = 0.04 * 0.04 - 0.02 * 0.02;
  EXPECT_NEAR(std::log2(wide.plain.bias / narrow.plain.bias), 2, 0.75 * between / std::numbers::ln2);
  const double open = (wide.twiced.bias_bound / std::fabs(wide.twiced.bias) +
                       narrow.twiced.bias_bound / std::fabs(narrow.twiced.bias)) /
                      std::numbers::ln2;
  EXPECT_NEAR(std::log2(wide.twiced.bias / narrow.twiced.bias), 4, 2.5 * between / std::numbers::ln2 + open);
  EXPECT_LT(open, 2.5 * between);
}

TEST(Smoother, visits_no_more_of_a_grid_than_the_reach) {
  // A million million observations: only a small window can be summed at all.
  constexpr double bandwidth = 1e-7, per_bandwidth = 0x1p39 * bandwidth;
  const SmootherRisks risks = smoother_risks({SmoothingKernel::epanechnikov,
                                              SmoothedCurve::bump,
                                              Observations::grid,
                                              std::uint64_t{1} << 40,
                                              0,
                                              bandwidth,
                                              {}},
                                             2);
  // A sum over a grid is off by the total variation at most: 9/8 of K^2, whose integral is 3/5, and 3/2 of K, twice.
  constexpr double of_sums = (9.0 / 8 / 0.6 + 2 * 1.5) / per_bandwidth;
  EXPECT_NEAR(risks.plain.variance, 0.6 / per_bandwidth, of_sums * risks.plain.variance);
}

TEST(Smoother, has_the_same_bits_for_any_number_of_threads) {
  for (const Smoother& s : examples()) {
    const SmootherRisks once = smoother_risks(s, 1);
    EXPECT_TRUE(same_bits(once, smoother_risks(s, 2)));
    EXPECT_TRUE(same_bits(once, smoother_risks(s, 7)));
  }
}

TEST(Smoother, has_no_value_where_no_observation_is_near) {
  const SmootherRisks risks =
      smoother_risks({SmoothingKernel::uniform, SmoothedCurve::bump, Observations::grid, 2, 0, 0.01, {}}, 1);
  EXPECT_TRUE(std::isnan(risks.plain.bias));
}

TEST(Smoother, has_the_same_bits_on_a_device) {
  const auto found = device::cuda_devices();
  if (found.devices.empty()) GTEST_SKIP() << "nothing was compared: " << found.absence;
  for (const Smoother& s : examples()) EXPECT_TRUE(same_bits(smoother_risks_on_cuda(s), smoother_risks(s, 2)));
}

TEST(Smoother, refuses_what_is_out_of_range) {
  EXPECT_THROW(smoother_risks({.n = 0, .h = 0.1}, 1), std::invalid_argument);
  EXPECT_THROW(smoother_risks({.n = 5, .x = 2, .h = 0.1}, 1), std::invalid_argument);
  EXPECT_THROW(smoother_risks({.n = 5, .h = 0}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace attest::regression
