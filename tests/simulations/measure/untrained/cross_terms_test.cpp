#include "simulations/measure/untrained/cross_terms.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "simulations/tokens/positions.hpp"

namespace attest::measure {

using tokens::sinusoidal_positions;
namespace {

const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(4, 4);

Eigen::MatrixXd some_tokens() {
  Eigen::MatrixXd tokens(20, 4);
  for (Eigen::Index i = 0; i < tokens.size(); ++i) tokens.data()[i] = std::sin(2.0 + 5.0 * static_cast<double>(i));
  return tokens;
}

TEST(LogitRow, parts_the_logits_of_tokens_plus_positions) {
  const Eigen::MatrixXd tokens = some_tokens();
  const Eigen::MatrixXd x = tokens + sinusoidal_positions(20, 4);
  const Eigen::MatrixXd form = some_tokens().topRows(4);  // any matrix that is not symmetric
  const LogitRow row = logit_row(tokens, sinusoidal_positions(20, 4), form, 7);
  const Eigen::RowVectorXd query = x.row(7) * form;
  for (Eigen::Index j = 0; j < 20; ++j) {
    const auto k = static_cast<std::size_t>(j);
    EXPECT_NEAR(row.content[k] + row.cross[k], query.dot(x.row(j)) / 2, 64 * 0x1p-52);
  }
}

TEST(LogitRow, has_no_cross_terms_without_positions) {
  const LogitRow row = logit_row(some_tokens(), Eigen::MatrixXd::Zero(20, 4), identity, 7);
  for (const double value : row.cross) EXPECT_EQ(value, 0);
}

TEST(CrossTerms, of_zero_tokens_do_nothing) {
  const CrossTerms terms =
      cross_terms(logit_row(Eigen::MatrixXd::Zero(20, 4), sinusoidal_positions(20, 4), identity, 3), 1, 0);
  EXPECT_EQ(terms.sigma, 0);
  EXPECT_EQ(terms.offset, 0);
  EXPECT_EQ(terms.autocorrelation, 0);
  EXPECT_EQ(terms.perturbation, 0);
  EXPECT_EQ(terms.bound, 0);
}

TEST(CrossTerms, stay_within_the_lipschitz_bound_and_meet_the_local_one_when_small) {
  const LogitRow row = logit_row(some_tokens(), sinusoidal_positions(20, 4), identity, 7);
  const CrossTerms terms = cross_terms(row, 1, 0);
  EXPECT_GT(terms.perturbation, 0);
  EXPECT_LE(terms.perturbation, terms.bound);
  EXPECT_DOUBLE_EQ(terms.bound, terms.sigma / 2 * std::sqrt(20.0));
  LogitRow small = row;
  constexpr double scale = 1e-4;
  for (double& value : small.cross) value *= scale;
  const CrossTerms little = cross_terms(small, 1, 0);
  // To first order the perturbation is J eta; the second order adds at most a relative sigma sqrt(N) of what is left.
  EXPECT_LE(little.perturbation, little.local_bound * (1 + scale * terms.sigma * std::sqrt(20.0)));
}

TEST(CrossTerms, see_order_offset_and_dependence) {
  LogitRow row{std::vector<double>(50), std::vector<double>(50)};
  std::iota(row.content.begin(), row.content.end(), 0.0);
  std::iota(row.cross.begin(), row.cross.end(), 0.0);
  const CrossTerms ramp = cross_terms(row, 1, 0);
  EXPECT_NEAR(ramp.autocorrelation, 1, 50 * 0x1p-50);
  EXPECT_NEAR(ramp.dependence, 1, 50 * 0x1p-50);
  for (double& value : row.cross) value = 1;
  const CrossTerms constant = cross_terms(row, 1, 0);
  EXPECT_DOUBLE_EQ(constant.offset, 1);
  EXPECT_NEAR(constant.perturbation, 0, 50 * 0x1p-50) << "softmax does not see a constant";
  EXPECT_DOUBLE_EQ(constant.bound, std::sqrt(50.0) / 2);
}

TEST(CrossTerms, are_shuffled_by_seed_and_sample_alone) {
  const LogitRow row = logit_row(some_tokens(), sinusoidal_positions(20, 4), identity, 7);
  EXPECT_EQ(cross_terms(row, 1, 5).shuffled, cross_terms(row, 1, 5).shuffled);
  EXPECT_NE(cross_terms(row, 1, 5).shuffled, cross_terms(row, 1, 6).shuffled);
  EXPECT_NE(cross_terms(row, 1, 5).shuffled, cross_terms(row, 2, 5).shuffled);
}

}  // namespace
}  // namespace attest::measure
