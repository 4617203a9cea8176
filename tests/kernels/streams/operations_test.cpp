#include "kernels/streams/operations.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/random/normal_quantile.hpp"
#if defined(__x86_64__)
#include "tests/kernels/streams/operations_v2.hpp"
#include "tests/support/rounding.hpp"
#endif

namespace attest::streams {
namespace {

using random::Law;

const std::vector<Law> laws = {Law::gaussian(), Law::rademacher(),   Law::uniform(),
                               Law::laplace(),  Law::student_t(3.5), Law::sparse_three_point(0.3)};
constexpr std::size_t size = 1 << 12;
constexpr random::StreamName stream_name{0x123456789ABCDEF0, 77, 0x0000A00000000003};

template <typename T>
std::vector<const Operations<T>*> every_set() {
  std::vector<const Operations<T>*> all(operations<T>().begin(), operations<T>().end());
#if defined(__x86_64__)
  all.push_back(&operations_v2<T>());
#endif
  return all;
}

template <typename T>
std::vector<T> draws(const Operations<T>& set, const Law& law, std::uint64_t first = 0) {
  std::vector<T> z(size);
  set.draw(law, stream_name, first, z.data(), size);
  return z;
}

template <typename T>
std::vector<T> everything(const Operations<T>& set, const Law& law) {
  const std::vector<T> z = draws(set, law);
  std::vector<T> a(size), results = z;
  set.weights(z.data(), T(0.25), T(1), a.data(), size);
  results.insert(results.end(), a.begin(), a.end());
  std::vector<T> sums(5 * columns<T>);
  for (const T shift : {T(0), T(2)}) {
    const NoisyWeights<T> w{a.data(), z.data(), size, T(0.5), shift, shift == T(0)};
    set.perturbation(w, sums.data());
    results.insert(results.end(), sums.begin(), sums.end());
    set.top(w, sums.data());
    results.insert(results.end(), sums.begin(), sums.end());
    set.secular(w, T(0.7), T(0.9), sums.data());
    results.insert(results.end(), sums.begin(), sums.end());
  }
  set.moments(a.data(), z.data(), size, sums.data());
  results.insert(results.end(), sums.begin(), sums.end());
  return results;
}

template <typename T>
void expect_same_bits() {
  for (const Law& law : laws) {
    const std::vector<T> expected = everything(*every_set<T>().front(), law);
    for (const Operations<T>* set : every_set<T>())
      ASSERT_EQ(everything(*set, law), expected) << set->name << ' ' << name(law);
  }
}

TEST(StreamedOperations, have_the_same_bits_on_every_set_of_instructions) {
  EXPECT_GE(every_set<double>().size(), 2U) << "nothing to compare with";
  expect_same_bits<double>();
  expect_same_bits<float>();
}

TEST(StreamedOperations, draw_the_numbers_of_the_stream) {
  for (const Law& law : laws) {
    if (law.kind == random::LawKind::gaussian) continue;  // In pairs here, by inversion there.
    random::Stream stream(stream_name.seed, stream_name.key, stream_name.sample);
    std::vector<double> expected(size);
    fill(law, stream, expected);
    EXPECT_EQ(draws(*operations<double>().back(), law), expected) << name(law);
  }
}

TEST(StreamedOperations, draw_the_same_number_wherever_a_block_begins) {
  for (const Law& law : laws) {
    const auto from_start = draws(*operations<double>().back(), law);
    const auto later = draws(*operations<double>().back(), law, 1024);
    EXPECT_TRUE(std::equal(later.begin(), later.end() - 1024, from_start.begin() + 1024)) << name(law);
    const auto single = draws(*operations<float>().back(), law),
               single_later = draws(*operations<float>().back(), law, 1024);
    EXPECT_TRUE(std::equal(single_later.begin(), single_later.end() - 1024, single.begin() + 1024)) << name(law);
  }
}

// The share of draws below each of a few quantiles, within z standard errors: 1e-9 over all comparisons.
template <typename T>
void expect_normal() {
  constexpr std::size_t count = 1 << 20;
  std::vector<T> x(count);
  operations<T>().back()->draw(Law::gaussian(), stream_name, 0, x.data(), count);
  const std::vector<double> levels = {1e-4, 0.01, 0.1, 0.3, 0.5, 0.8, 0.99, 0.9999};
  const double z = -random::normal_quantile(1e-9 / 2 / (static_cast<double>(levels.size()) + 3));
  for (const double level : levels) {
    const double quantile = random::normal_quantile(level);
    const auto below = static_cast<double>(std::count_if(x.begin(), x.end(), [&](T v) { return v < quantile; }));
    EXPECT_LE(std::fabs(below / count - level), z * std::sqrt(level * (1 - level) / count)) << level;
  }
  double sum = 0, neighbours = 0, halves = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += x[i];
    neighbours += x[i] * x[i ^ 1];
    halves += x[i] * x[i ^ 2];
  }
  EXPECT_LE(std::fabs(sum), z * std::sqrt(count));
  // Each product is counted twice.
  EXPECT_LE(std::fabs(neighbours), z * std::sqrt(2 * count));
  EXPECT_LE(std::fabs(halves), z * std::sqrt(2 * count));
}

TEST(StreamedOperations, draw_normals_in_uncorrelated_pairs) {
  expect_normal<double>();
  expect_normal<float>();
}

TEST(StreamedOperations, draw_single_precision_with_mean_zero_and_variance_one) {
  constexpr std::size_t count = 1 << 18;
  std::vector<float> x(count);
  for (const Law& law : laws) {
    operations<float>().back()->draw(law, stream_name, 0, x.data(), count);
    double sum = 0, squares = 0;
    for (const float v : x) {
      sum += v;
      squares += double{v} * v;
    }
    const double z = -random::normal_quantile(1e-9 / 24);
    EXPECT_LE(std::fabs(sum / count), z / std::sqrt(count)) << name(law);
    if (std::isfinite(fourth_moment(law))) {
      constexpr double of_squares = 16 * tests::single_roundoff;  // of numbers that are eight roundings off
      EXPECT_LE(std::fabs(squares / count - 1), z * std::sqrt((fourth_moment(law) - 1) / count) + of_squares)
          << name(law);
    }
  }
}

}  // namespace
}  // namespace attest::streams
