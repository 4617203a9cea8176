#include "kernels/monte_carlo/control_variate.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/attention/softmax.hpp"
#include "kernels/random/stream.hpp"

namespace attest::monte_carlo {
namespace {

// A false alarm of one comparison: 2e-9.
constexpr double z = 6;

// E exp(s Z) = exp(s^2 / 2), with Z^2 as the control.
ControlledSample exponential_of_normal(std::uint64_t sample, int sign) {
  random::Stream stream(11, random::claim_key("control"), sample);
  const double x = sign * stream.normal();
  return {std::exp(0.3 * x), x * x};
}

TEST(ReducedMean, is_unbiased_where_the_mean_is_known) {
  for (const bool antithetic : {false, true}) {
    const ReducedMean found = reduced_mean(exponential_of_normal, 1, 20'000, 100, antithetic, 2);
    const double exact = std::exp(0.045);
    EXPECT_LE(std::fabs(found.mean - exact), z * found.standard_error);
    EXPECT_LE(std::fabs(found.plain_mean - exact), z * found.plain_standard_error);
    // Var exp(sZ) = e^{s^2}(e^{s^2} - 1); in pairs only the even part is left, of which Z^2 is nearly all.
    EXPECT_NEAR(found.plain_standard_error, std::sqrt(std::exp(0.09) * std::expm1(0.09) / 20'000), 2e-4);
    if (antithetic) {
      EXPECT_LE(found.standard_error, 0.02 * found.plain_standard_error);
    }
  }
}

// |softmax(c + eta) - softmax(c)|^2 with |J eta|^2 as the control, J = diag(p) - p p^T: for variance s^2 of the noise
// its mean is s^2 |J|_F^2 = s^2 (P2 - 2 P3 + P2^2), Pk = sum p^k.
struct Perturbation {
  explicit Perturbation(double noise_scale) : scale(noise_scale), p(64) {
    std::vector<double> c(p.size());
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = std::sin(static_cast<double>(i));
    attention::softmax(c, p);
    logits = c;
  }
  ControlledSample operator()(std::uint64_t sample, int sign) const {
    random::Stream stream(12, random::claim_key("perturbation"), sample);
    std::vector<double> eta(p.size()), moved(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) eta[i] = sign * scale * stream.normal(), moved[i] = logits[i] + eta[i];
    attention::softmax(moved, moved);
    const double norm = attention::distance(moved, p);
    attention::apply_jacobian(p, eta, eta);
    double squares = 0;
    for (const double x : eta) squares += x * x;
    return {norm * norm, squares};
  }
  double control_mean() const {
    double p2 = 0, p3 = 0;
    for (const double x : p) p2 += x * x, p3 += x * x * x;
    return scale * scale * (p2 - 2 * p3 + p2 * p2);
  }
  double scale;
  std::vector<double> p, logits;
};

TEST(ReducedMean, of_the_softmax_perturbation_agrees_with_plain_sampling) {
  for (const double scale : {0.05, 0.5}) {
    const Perturbation perturbation(scale);
    const ReducedMean found = reduced_mean(perturbation, perturbation.control_mean(), 2'000, 100, true, 2);
    const double difference = std::fabs(found.mean - found.plain_mean);
    EXPECT_LE(difference, z * std::hypot(found.standard_error, found.plain_standard_error)) << scale;
    // Samples that plain sampling would need for the same interval, over ours: two evaluations a pair.
    const double gain = std::pow(found.plain_standard_error / found.standard_error, 2) / 2;
    EXPECT_GE(gain, scale < 0.1 ? 1000 : 5) << scale;
  }
}

TEST(ReducedMean, has_the_same_bits_for_any_number_of_threads) {
  const ReducedMean expected = reduced_mean(exponential_of_normal, 1, 1'000, 20, true, 1);
  for (const unsigned threads : {2U, 7U})
    EXPECT_EQ(reduced_mean(exponential_of_normal, 1, 1'000, 20, true, threads).mean, expected.mean);
}

TEST(ReducedMean, refuses_too_few_samples) {
  EXPECT_THROW(reduced_mean(exponential_of_normal, 1, 1, 20, true, 1), std::invalid_argument);
  EXPECT_THROW(reduced_mean(exponential_of_normal, 1, 100, 7, true, 1), std::invalid_argument);
}

}  // namespace
}  // namespace attest::monte_carlo
