#include "kernels/monte_carlo/replicates.hpp"

#include <array>
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"

namespace attest::monte_carlo {
namespace {

constexpr double z = 6;

double unit(std::uint64_t word) { return random::Stream::to_unit(word); }

// E exp(u_1) (1 + u_2 u_3) = (e - 1) 5/4.
double smooth(std::span<const std::uint64_t> w) { return std::exp(unit(w[0])) * (1 + unit(w[1]) * unit(w[2])); }
const double smooth_mean = std::expm1(1.0) * 1.25;

// A sum of functions of one coordinate each, in 200 dimensions: its mean is 200 (e - 1).
double additive(std::span<const std::uint64_t> w) {
  double sum = 0;
  for (const std::uint64_t word : w) sum += std::exp(unit(word));
  return sum;
}

double standard_error(const statistics::Welford& m) { return std::sqrt(m.variance() / static_cast<double>(m.count())); }

statistics::Welford moments(Design design, std::size_t dimensions, std::uint64_t in_each, const PointStatistic& f,
                            unsigned threads = 2) {
  return replicate_means({design, dimensions, in_each, 21, random::stream_key("replicates")}, 64, f, threads);
}

TEST(Replicates, of_every_design_are_unbiased) {
  for (const Design design : {Design::independent, Design::latin_hypercube, Design::sobol}) {
    for (const std::uint64_t in_each : {1U, 23U, 61U}) {  // no powers of two
      const auto found = moments(design, 3, in_each, smooth);
      EXPECT_LE(std::fabs(found.mean() - smooth_mean), z * standard_error(found)) << in_each;
    }
  }
}

TEST(Replicates, of_evener_points_vary_less_and_agree_with_independent_ones) {
  const auto plain = moments(Design::independent, 3, 64, smooth), quasi = moments(Design::sobol, 3, 64, smooth);
  EXPECT_LE(std::fabs(plain.mean() - quasi.mean()), z * std::hypot(standard_error(plain), standard_error(quasi)));
  EXPECT_LE(quasi.variance(), plain.variance() / 30);
  const auto many = moments(Design::independent, 200, 61, additive),
             stratified = moments(Design::latin_hypercube, 200, 61, additive);
  EXPECT_LE(std::fabs(many.mean() - stratified.mean()),
            z * std::hypot(standard_error(many), standard_error(stratified)));
  // 1/n^2 of the variance is left, n = 61.
  EXPECT_LE(stratified.variance(), many.variance() / 1000);
}

TEST(Replicates, of_latin_hypercubes_have_one_point_in_every_interval) {
  std::array<int, 11> seen{};
  replicate_means(
      {Design::latin_hypercube, 2, 11, 5, 6}, 1,
      [&](std::span<const std::uint64_t> w) {
        ++seen[static_cast<std::size_t>(11 * unit(w[1]))];
        return 0.0;
      },
      1);
  for (const int count : seen) EXPECT_EQ(count, 1);
}

TEST(Replicates, have_the_same_bits_for_any_number_of_threads) {
  for (const Design design : {Design::latin_hypercube, Design::sobol}) {
    const double expected = moments(design, 3, 17, smooth, 1).mean();
    for (const unsigned threads : {2U, 7U}) EXPECT_EQ(moments(design, 3, 17, smooth, threads).mean(), expected);
  }
}

TEST(Replicates, refuse_what_no_design_has) {
  EXPECT_THROW(moments(Design::sobol, 4000, 1, additive), std::invalid_argument);
  EXPECT_THROW(moments(Design::sobol, 3, 0, smooth), std::invalid_argument);
  EXPECT_THROW(moments(Design::latin_hypercube, 3, 15, smooth), std::invalid_argument);
}

}  // namespace
}  // namespace attest::monte_carlo
