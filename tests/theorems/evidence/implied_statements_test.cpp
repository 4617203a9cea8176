#include "theorems/evidence/implied_statements.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "theorems/engine/registry.hpp"
#include "theorems/evidence/evidence_file.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/judge.hpp"

namespace attest::evidence {
namespace {

TEST(ImpliedStatements, belong_to_printed_or_stricter_claims_that_are_recorded_as_refuted) {
  std::set<std::string_view> seen;
  for (const ImpliedStatement& each : implied_statements()) {
    EXPECT_TRUE(seen.insert(each.claim).second) << each.claim << " stands twice";
    const engine::Claim* claim = nullptr;
    for (const engine::Claim& one : engine::all_claims())
      if (one.statement.id == each.claim) claim = &one;
    ASSERT_NE(claim, nullptr) << each.claim << " is not a claim";
    EXPECT_EQ(claim->statement.expected, engine::Verdict::refuted) << each.claim;
    EXPECT_EQ(implied_by(each.claim), &each);
  }
  EXPECT_EQ(implied_by("boosting/none"), nullptr);
}

TEST(ImpliedStatements, are_refuted_and_leave_evidence_that_says_why_they_follow) {
  for (const ImpliedStatement& each : implied_statements()) {
    const language::Statement statement = language::read_statement(each.text);
    engine::Context context;
    context.effort = 0.1;
    const referee::Outcome outcome = referee::judge(statement, context, false);
    EXPECT_EQ(outcome.verdict, engine::Verdict::refuted) << each.text;
    const Evidence made = evidence_for(
        statement, outcome, {.id = std::string(each.claim), .follows_since = std::string(each.why)}, context);
    ASSERT_TRUE(made.document.has_value()) << each.text << ": " << made.why_not;
    EXPECT_EQ(made.document->at("kind"), "witness");
    EXPECT_EQ(made.document->at("follows_since"), each.why);
  }
}

}  // namespace
}  // namespace attest::evidence
