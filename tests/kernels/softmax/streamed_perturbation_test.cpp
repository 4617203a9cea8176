#include "kernels/softmax/streamed_perturbation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/device/devices.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/softmax/softmax.hpp"
#include "tests/support/rounding.hpp"

namespace attest::softmax {
namespace {

using random::Law;

std::vector<double> logits(std::size_t n) {
  random::Stream stream(3, random::stream_key("logits"), n);
  std::vector<double> c(n);
  for (double& x : c) x = 2 * stream.normal();
  return c;
}

template <typename T>
std::vector<double> eta_of(const streams::Noise& noise, std::uint64_t sample, std::size_t n) {
  std::vector<T> z((n + 31) / 32 * 32);
  streams::operations<T>().back()->draw(noise.law, {noise.seed, noise.key, sample}, 0, z.data(), z.size());
  std::vector<double> eta(n);
  for (std::size_t i = 0; i < n; ++i) eta[i] = double{static_cast<T>(noise.scale) * z[i]};
  return eta;
}

// In 80 bits, so that the difference keeps its digits.
double norm_by_definition(const std::vector<double>& c, const std::vector<double>& eta) {
  std::vector<long double> before(c.begin(), c.end()), after = before;
  for (std::size_t i = 0; i < c.size(); ++i) after[i] += static_cast<long double>(eta[i]);
  const auto p = softmax_reference(before), q = softmax_reference(after);
  long double sum = 0;
  for (std::size_t i = 0; i < c.size(); ++i) sum += (q[i] - p[i]) * (q[i] - p[i]);
  return static_cast<double>(std::sqrt(sum));
}

const std::vector<streams::Noise> noises = {{Law::gaussian(), 0.5, 9, 1},         {Law::rademacher(), 3, 9, 1},
                                            {Law::uniform(), 1e-3, 9, 1},         {Law::laplace(), 2, 9, 1},
                                            {Law::student_t(2.1), 40, 9, 1},      {Law::student_t(2.1), 4000, 9, 1},
                                            {Law::sparse_three_point(), 1, 9, 1}, {Law::gaussian(), 1e-6, 9, 1}};

// An exponential of a difference of logits errs by that difference's rounding, of at most 745 in double and 104 in
// single precision, where it underflows; a norm has it and a few roundings of its sum, that of the Jacobian twice.
constexpr double of_exponentials = (745 + 8) * tests::unit_roundoff, secular_equation = 1e-13;
constexpr double of_single_exponentials = (104 + 8) * tests::single_roundoff;

template <typename T>
void expect_definition(double tolerance) {
  for (const std::size_t n : {1U, 2U, 33U, 1000U, 20000U, 40001U}) {
    const auto c = logits(n);
    const StreamedPerturbation<T> perturbation(c);
    for (const streams::Noise& noise : noises) {
      std::vector<double> norms(2);
      perturbation.norms(noise, 5, norms, 1);
      for (std::uint64_t k = 0; k < 2; ++k) {
        const double expected = norm_by_definition(c, eta_of<T>(noise, 5 + k, n));
        constexpr double left_by_80_bits = 100 * 0x1p-63;  // of the size of softmax itself
        EXPECT_NEAR(norms[k], expected, tolerance * expected + left_by_80_bits)
            << n << ' ' << name(noise.law) << noise.scale;
      }
    }
  }
}

TEST(StreamedPerturbation, is_the_difference_of_two_softmaxes) {
  expect_definition<double>(of_exponentials);
  expect_definition<float>(of_single_exponentials);
}

TEST(StreamedPerturbation, finds_the_norm_of_the_jacobian) {
  for (const std::size_t n : {2U, 3U, 100U, 30000U}) {
    const auto c = logits(n);
    const StreamedPerturbation<double> perturbation(c);
    const StreamedPerturbation<float> single(c);
    for (const streams::Noise& noise : noises) {
      auto moved = eta_of<double>(noise, 2, n);
      for (std::size_t i = 0; i < n; ++i) moved[i] += c[i];
      softmax::softmax(moved, moved);
      const double expected = jacobian_norm(moved);
      EXPECT_NEAR(perturbation.jacobian_norm(noise, 2, 2), expected,
                  (2 * of_exponentials + secular_equation) * expected + std::numeric_limits<double>::min())
          << n << ' ' << name(noise.law) << noise.scale;
      auto single_moved = eta_of<float>(noise, 2, n);
      for (std::size_t i = 0; i < n; ++i) single_moved[i] += c[i];
      softmax::softmax(single_moved, single_moved);
      const double of_single = jacobian_norm(single_moved);
      EXPECT_NEAR(single.jacobian_norm(noise, 2, 1), of_single,
                  2 * of_single_exponentials * of_single + std::numeric_limits<float>::min())
          << n << ' ' << name(noise.law) << noise.scale;
    }
  }
}

TEST(StreamedPerturbation, of_equal_logits_and_signs_has_a_multiple_eigenvalue) {
  const StreamedPerturbation<double> perturbation(std::vector<double>(64, 1.5));
  constexpr double rounding = 8 * tests::unit_roundoff;
  const double q = std::exp(0.25) / 64;  // Up to the normaliser, which the ratio below removes.
  std::vector<double> moved = eta_of<double>({Law::rademacher(), 0.25, 1, 1}, 0, 64);
  softmax::softmax(moved, moved);
  EXPECT_NEAR(perturbation.jacobian_norm({Law::rademacher(), 0.25, 1, 1}, 0, 1),
              *std::max_element(moved.begin(), moved.end()), rounding * q * 64);
}

TEST(StreamedPerturbation, has_the_same_bits_for_any_number_of_threads_and_any_instructions) {
  const streams::Noise noise{Law::gaussian(), 1, 4, 2}, heavy{Law::student_t(2.1), 500, 4, 2};
  for (const std::uint64_t n : {100ULL, 50'000ULL}) {
    std::vector<double> expected(9), norms(9);
    StreamedPerturbation<double> perturbation(n, {Law::laplace(), 1, 4, 3}, 3);
    perturbation.norms(noise, 0, expected, 1);
    const double jacobian = perturbation.jacobian_norm(heavy, 0, 1);
    for (const unsigned threads : {1U, 2U, 7U}) {
      for (const auto* set : streams::operations<double>()) {
        perturbation.use(*set);
        perturbation.norms(noise, 0, norms, threads);
        EXPECT_EQ(norms, expected) << n << ' ' << threads << ' ' << set->name;
        EXPECT_EQ(perturbation.jacobian_norm(heavy, 0, threads), jacobian) << n << ' ' << threads << ' ' << set->name;
      }
    }
  }
}

TEST(StreamedPerturbation, draws_the_same_logits_as_a_caller_would_keep) {
  const streams::Noise spread{Law::gaussian(), 1.5, 8, 6}, noise{Law::uniform(), 1, 4, 2};
  const StreamedPerturbation<double> kept(eta_of<double>(spread, 0, 20'000)), drawn(20'000, spread);
  std::vector<double> a(3), b(3);
  kept.norms(noise, 0, a, 1);
  drawn.norms(noise, 0, b, 1);
  // Sums of positive numbers in blocks, which begin elsewhere for logits that are drawn: a few hundred roundings.
  constexpr double of_sums = 512 * tests::unit_roundoff;
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], of_sums * a[k]);
}

TEST(StreamedPerturbation, has_the_same_bits_on_a_device) {
  const auto found = device::cuda_devices();
  if (found.devices.empty()) GTEST_SKIP() << "nothing was compared: " << found.absence;
  const streams::Noise logits{Law::laplace(), 1, 4, 3};
  const StreamedPerturbation<double> here(50'001, logits, 2), there(50'001, logits, perturbation_blocks_on_cuda());
  for (const streams::Noise& noise : noises) {
    std::vector<double> expected(3), norms(3);
    here.norms(noise, 7, expected, 2);
    there.norms(noise, 7, norms, 1);
    EXPECT_EQ(norms, expected) << name(noise.law);
  }
}

TEST(StreamedPerturbation, made_elsewhere_is_in_double_precision) {
  EXPECT_THROW(StreamedPerturbation<float>(4, streams::Noise{}, PerturbationBlocks{}), std::invalid_argument);
}

TEST(StreamedPerturbation, takes_equal_logits_for_what_they_are_wherever_they_come_from) {
  const StreamedPerturbation<double> drawn(5000, {Law::laplace(), 0, 3, 1}), kept(std::vector<double>(5000, 2.5));
  const streams::Noise noise{Law::gaussian(), 1, 4, 2};
  std::vector<double> a(2), b(2);
  drawn.norms(noise, 0, a, 1);
  kept.norms(noise, 0, b, 1);
  EXPECT_EQ(a, b);
  EXPECT_EQ(drawn.jacobian_norm(noise, 0, 1), kept.jacobian_norm(noise, 0, 1));
}

TEST(StreamedPerturbation, refuses_what_has_no_softmax) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(StreamedPerturbation<double>(std::vector<double>{}), std::invalid_argument);
  EXPECT_THROW(StreamedPerturbation<double>(std::vector<double>{1, NAN}), std::invalid_argument);
  EXPECT_THROW(StreamedPerturbation<double>(std::vector<double>{1, infinity}), std::invalid_argument);
  EXPECT_THROW(StreamedPerturbation<double>(0, streams::Noise{}), std::invalid_argument);
  std::vector<double> norms(1);
  EXPECT_THROW(StreamedPerturbation<double>(std::vector<double>{1}).norms({Law::gaussian(), NAN}, 0, norms, 1),
               std::invalid_argument);
}

TEST(StreamedPerturbation, gives_the_largest_entry_of_a_softmax) {
  for (const auto& noise : {streams::Noise{Law::gaussian(), 3, 7, 1}, streams::Noise{Law::laplace(), 300, 7, 1},
                            streams::Noise{Law::uniform(), 0, 7, 1}}) {
    constexpr std::size_t n = 20'001;
    std::vector<double> p = eta_of<double>(noise, 2, n);
    softmax(p, p);
    const StreamedPerturbation<double> equal(n, {Law::rademacher(), 0, 1, 1});
    // Either share divides by a sum of n positive terms: n - 1 roundings of it, and a few of each exponential.
    constexpr double rounding = 2 * (static_cast<double>(n) + 16) * tests::unit_roundoff;
    EXPECT_NEAR(equal.largest_share(noise, 2, 2) / *std::max_element(p.begin(), p.end()), 1, rounding);
  }
}

}  // namespace
}  // namespace attest::softmax
