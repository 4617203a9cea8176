#include "theorems/engine/runner/alpha_ledger.hpp"

#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/theorems/engine/test_claims.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/runner.hpp"

namespace attest::engine {
namespace {

TEST(AlphaLedger, splits_the_whole_into_equal_shares) {
  const AlphaLedger ledger(1e-6, 4);
  EXPECT_DOUBLE_EQ(ledger.share(), 2.5e-7);
  EXPECT_DOUBLE_EQ(ledger.bound(3), 7.5e-7);
  EXPECT_EQ(ledger.bound(0), 0);
  EXPECT_DOUBLE_EQ(AlphaLedger(0.5, 1).share(), 0.5);
}

TEST(AlphaLedger, never_spends_more_than_the_whole_but_for_rounding) {
  for (const std::size_t claims : {1U, 3U, 7U, 250U, 1000003U}) {
    const AlphaLedger ledger(default_false_alarm_bound, claims);
    EXPECT_LE(ledger.bound(claims), default_false_alarm_bound * (1 + 0x1p-51)) << claims;
    EXPECT_GT(ledger.share(), 0) << claims;
  }
}

TEST(AlphaLedger, refuses_a_bound_that_is_no_probability_and_a_suite_without_statements) {
  for (const double total :
       {0.0, 1.0, -1e-6, 2.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(AlphaLedger(total, 10), std::invalid_argument) << total;
  EXPECT_THROW(AlphaLedger(1e-6, 0), std::invalid_argument);
}

TEST(AlphaLedger, lets_near_misses_and_near_hits_pay_their_share) {
  Claim claim = claim_with("paper/claim", Kind::universal_inequality, Verdict::supported,
                           check_returning({good_inequality()}), check_returning({violated_inequality()}));
  claim.near_hits = {{"weaker", 0.1, check_returning({good_inequality()})}};
  EXPECT_EQ(ledger_shares({claim, claim}), 6U) << "two statements, their near-misses and their near-hits";
  RunOptions options;
  options.budget = parse_budget("quick");
  options.false_alarm_bound = 0.2;
  options.ledger_shares = 4;
  options.near_misses = true;
  const SuiteRun three_of_four = run({&claim}, options);
  EXPECT_DOUBLE_EQ(three_of_four.alpha_per_claim, 0.05);
  EXPECT_DOUBLE_EQ(three_of_four.false_alarm_bound, 0.15);
  options.near_misses = false;
  const SuiteRun alone = run({&claim}, options);
  EXPECT_DOUBLE_EQ(alone.alpha_per_claim, 0.05) << "the level does not depend on what else is judged";
  EXPECT_DOUBLE_EQ(alone.false_alarm_bound, 0.05);
}

}  // namespace
}  // namespace attest::engine
