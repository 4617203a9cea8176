#include "theorems/engine/runner/record.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/theorems/engine/test_claims.hpp"

namespace attest::engine {
namespace {

nlohmann::ordered_json tightness_at(double least_slack) {
  InequalityEvidence evidence;
  evidence.evaluations = evidence.admissible = 1;
  evidence.least_slack = least_slack;
  if (least_slack < 0) evidence.witness = Witness{};
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

TEST(Record, states_no_negative_slack_of_a_statement_that_stands) {
  InequalityEvidence evidence;
  evidence.evaluations = evidence.admissible = 1;
  evidence.least_slack = -3e-17;
  const auto json = evidence_to_json({.body = evidence});
  EXPECT_EQ(json["least_slack"], 0.0);
  EXPECT_EQ(json["rounding"], 3e-17) << "what doubles are off by";
}

TEST(Record, counts_no_bits_of_agreement_where_the_sides_differ) {
  IdentityEvidence evidence = good_identity();
  EXPECT_TRUE(evidence_to_json({.body = evidence}).contains("accuracy_bits"));
  evidence.witness = Witness{};
  EXPECT_FALSE(evidence_to_json({.body = evidence}).contains("accuracy_bits"));
}

TEST(Record, tightness_is_null_where_no_ratio_describes_the_violation) {
  EXPECT_TRUE(tightness_at(-1).is_null());
  EXPECT_TRUE(tightness_at(-2).is_null());
}

TEST(Record, holds_finding_domain_and_near_hits_of_a_statement) {
  Claim claim =
      claim_with("paper/claim", Kind::universal_inequality, Verdict::refuted, check_returning({}), check_returning({}));
  EXPECT_TRUE(statement_to_json(claim)["finding"].is_null()) << "nothing is wrong with it";
  claim.statement.finding = Finding::constant;
  claim.check.domain = [] { return "x in [0, 1]"; };
  claim.near_hits = {{"a tenth weaker", 0.1, check_returning({})}};
  const auto json = statement_to_json(claim);
  EXPECT_EQ(json["finding"], "constant");
  EXPECT_EQ(json["domain"], "x in [0, 1]");
  EXPECT_EQ(json["near_hits"][0]["name"], "a tenth weaker");
  EXPECT_TRUE(json["evidence_file"].is_null());
}

}  // namespace
}  // namespace attest::engine
