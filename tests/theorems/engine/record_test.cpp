#include "theorems/engine/record.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::engine {
namespace {

nlohmann::ordered_json tightness_at(double least_slack) {
  InequalityEvidence evidence;
  evidence.evaluations = evidence.admissible = 1;
  evidence.least_slack = least_slack;
  return evidence_to_json({.body = evidence})["tightness"];
}

TEST(Record, tightness_is_the_share_of_the_bound_that_was_attained) {
  EXPECT_DOUBLE_EQ(tightness_at(0.25), 0.75);
  EXPECT_DOUBLE_EQ(tightness_at(0), 1);
  EXPECT_DOUBLE_EQ(tightness_at(2), 0) << "sides of different sign: nothing of the bound was used";
}

TEST(Record, tightness_of_a_violated_bound_is_above_one) {
  EXPECT_DOUBLE_EQ(tightness_at(-0.2), 1.25) << "lhs = 5, rhs = 4: slack -1/5";
}

TEST(Record, tightness_is_null_where_no_ratio_describes_the_violation) {
  EXPECT_TRUE(tightness_at(-1).is_null());
  EXPECT_TRUE(tightness_at(-2).is_null());
}

}  // namespace
}  // namespace attest::engine
