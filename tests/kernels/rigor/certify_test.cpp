#include "kernels/rigor/certify.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::rigor {
namespace {

using Arguments = std::span<const Ball>;

TEST(CertifyNonnegative, proves_a_strictly_positive_polynomial) {
  const auto f = [](Arguments x) { return square(x[0]) - 2 * x[0] + Ball::from_decimal("1.001"); };
  const Certification result = certify_nonnegative(f, {{-10, 10}}, 100'000);
  EXPECT_EQ(result.status, CertificationStatus::certified);
  EXPECT_EQ(result.boxes_remaining, 0);
  EXPECT_EQ(result.undecided_volume_fraction, 0);
}

TEST(CertifyNonnegative, proves_a_square_that_touches_zero) {
  const auto f = [](Arguments x) { return square(x[0] - 1); };
  EXPECT_EQ(certify_nonnegative(f, {{-10, 10}}, 100).status, CertificationStatus::certified);
}

TEST(CertifyNonnegative, leaves_an_expanded_square_undecided_near_its_zero_only) {
  const auto f = [](Arguments x) { return square(x[0]) - 2 * x[0] + 1; };
  const Certification result = certify_nonnegative(f, {{-10, 10}}, 10'000);
  EXPECT_EQ(result.status, CertificationStatus::undecided);
  EXPECT_GT(result.boxes_remaining, 0);
  // In boxes of width w the expansion is undecided for (x - 1)^2 < 2 w: 2.83/sqrt(w) boxes, on all levels together
  // 9.66/sqrt(w), each in two halves.
  constexpr double root_of_width = 2 * 9.66 / 10'000;
  EXPECT_LT(result.undecided_volume_fraction, 2.83 * root_of_width / 20);
}

TEST(CertifyNonnegative, finds_a_narrow_violation_and_states_it_in_few_digits) {
  // Negative only for |x - 0.3| < 0.001.
  const auto f = [](Arguments x) { return square(x[0] - Ball::from_decimal("0.3")) - Ball::from_decimal("1e-6"); };
  const Certification result = certify_nonnegative(f, {{-10, 10}}, 100'000);
  ASSERT_EQ(result.status, CertificationStatus::violated);
  EXPECT_EQ(result.point, std::vector<double>{0.3});
  EXPECT_TRUE(result.value.is_negative());
}

TEST(CertifyNonnegative, proves_the_inequality_of_the_means_and_refutes_it_with_a_wrong_constant) {
  const auto slack = [](const Ball& constant) {
    return [constant](Arguments x) { return (x[0] + x[1]) / 2 - constant * sqrt(x[0] * x[1]); };
  };
  const std::vector<Interval> box = {{1, 2}, {4, 8}};
  EXPECT_EQ(certify_nonnegative(slack(1), box, 10'000).status, CertificationStatus::certified);
  // The least quotient of the means on the box is at (2, 4): 3 / sqrt 8 = 1.06066.
  EXPECT_EQ(certify_nonnegative(slack(Ball::from_decimal("1.0606")), box, 100'000).status,
            CertificationStatus::certified);
  const Certification wrong = certify_nonnegative(slack(Ball::from_decimal("1.0608")), box, 100'000);
  ASSERT_EQ(wrong.status, CertificationStatus::violated);
  EXPECT_LT((wrong.point[0] + wrong.point[1]) / 2, 1.0608 * std::sqrt(wrong.point[0] * wrong.point[1]));
}

TEST(CertifyNonnegative, certifies_sums_of_nonnegative_terms_that_vanish_together) {
  const auto f = [](Arguments x) { return x[0] * (2 * x[1] + x[0]) + 2 * (x[0] * (1 - x[1]) + x[1] * x[2]); };
  EXPECT_EQ(certify_nonnegative(f, {{0, 1}, {0, 1}, {0, 1}}, 10).status, CertificationStatus::certified);
}

TEST(CertifyNonnegative, finds_a_violation_that_lies_on_a_face_of_the_domain) {
  // Negative only where y, z < 0.001 and x is not small.
  const auto f = [](Arguments x) { return x[1] + x[2] - Ball::from_decimal("0.001") * x[0]; };
  const Certification result = certify_nonnegative(f, {{0, 1}, {0, 1}, {0, 1}}, 100);
  ASSERT_EQ(result.status, CertificationStatus::violated);
  EXPECT_EQ(result.point[1], 0);
  EXPECT_EQ(result.point[2], 0);
}

TEST(CertifyNonnegative, reaches_the_edge_of_the_domain_of_a_root) {
  const auto f = [](Arguments x) { return sqrt(x[0]) - x[0]; };
  EXPECT_NE(certify_nonnegative(f, {{0, 1}}, 1000).status, CertificationStatus::violated);
  EXPECT_EQ(certify_nonnegative([](Arguments x) { return sqrt(x[0]) * (2 - sqrt(x[0])); }, {{0, 1}}, 1000).status,
            CertificationStatus::certified);
}

TEST(CertifyNonnegative, is_never_certain_about_what_is_not_defined) {
  const Certification result = certify_nonnegative([](Arguments x) { return Ball(1) / (x[0] - x[0]); }, {{0, 1}}, 50);
  EXPECT_EQ(result.status, CertificationStatus::undecided);
  EXPECT_EQ(result.undecided_volume_fraction, 1);
}

TEST(CertifyNonnegative, decides_a_point) {
  const auto f = [](Arguments x) { return x[0] - 1; };
  EXPECT_EQ(certify_nonnegative(f, {{1, 1}}, 1).status, CertificationStatus::certified);
  EXPECT_EQ(certify_nonnegative(f, {{0.5, 0.5}}, 1).status, CertificationStatus::violated);
}

TEST(CertifyNonnegative, refuses_bad_domains) {
  const auto f = [](Arguments x) { return x[0]; };
  EXPECT_THROW(certify_nonnegative(f, {}, 10), std::invalid_argument);
  EXPECT_THROW(certify_nonnegative(f, {{1, 0}}, 10), std::invalid_argument);
  EXPECT_THROW(certify_nonnegative(f, {{0, INFINITY}}, 10), std::invalid_argument);
  EXPECT_THROW(certify_nonnegative(f, {{NAN, 1}}, 10), std::invalid_argument);
  EXPECT_THROW(certify_nonnegative(f, {{0, 1}}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace attest::rigor
