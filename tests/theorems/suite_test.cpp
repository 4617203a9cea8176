// The suite as it stands: what every statement in it owes its reader.
#include <map>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/runner.hpp"

namespace attest::engine {
namespace {

TEST(Suite, is_well_formed) { EXPECT_NO_THROW(validate(build_all_claims())); }

TEST(Suite, holds_only_the_four_papers) {
  const std::set<std::string> papers = {"boosting", "primal-dual", "twicing", "probdr"};
  for (const auto& claim : all_claims()) EXPECT_TRUE(papers.contains(claim.statement.paper())) << claim.statement.id;
}

TEST(Suite, judges_every_label_of_a_paper_once) {
  std::map<std::pair<std::string, std::string>, std::string> seen;
  for (const auto& claim : all_claims()) {
    const Statement& s = claim.statement;
    if (!s.printed) continue;
    const auto [at, fresh] = seen.try_emplace({s.paper(), s.label}, s.id);
    EXPECT_TRUE(fresh) << s.id << " and " << at->second << " both judge '" << s.label << "'";
  }
}

TEST(Suite, offers_an_amendment_or_a_reason_for_every_printed_statement_it_refutes) {
  std::set<std::string> amended;
  for (const auto& claim : all_claims())
    if (!claim.statement.amends.empty()) amended.insert(claim.statement.amends);
  for (const auto& claim : all_claims()) {
    const Statement& s = claim.statement;
    if (s.printed && s.expected == Verdict::refuted) {
      EXPECT_TRUE(amended.contains(s.id) || !s.note.empty()) << s.id << " is refuted, neither amended nor explained";
    }
  }
}

TEST(Suite, confirms_no_forged_witness_against_a_limit_that_stands) {
  Witness forged;
  forged.claim = "boosting/fig-2-right-decay";
  forged.inputs = Inputs{{"n", {16, 32}}, {"threshold", {0x1p-10}}};
  EXPECT_THROW(replay(forged, 0), std::invalid_argument) << "two places and a threshold of the file's own";
  forged.inputs = Inputs{{"n", {32}}};
  EXPECT_FALSE(replay(forged, 0).confirmed);
}

TEST(Suite, replays_no_file_at_an_effort_that_would_not_end) {
  Witness endless;
  endless.claim = all_claims().front().statement.id;
  endless.effort = 1e300;
  EXPECT_THROW(replay(endless, 0), std::invalid_argument);
}

TEST(Suite, says_of_every_statement_what_is_searched) {
  for (const auto& claim : all_claims()) {
    ASSERT_TRUE(claim.check.domain) << claim.statement.id;
    EXPECT_FALSE(claim.check.domain().empty()) << claim.statement.id;
  }
}

TEST(Suite, never_records_an_error_as_the_expected_verdict) {
  for (const auto& claim : all_claims()) EXPECT_NE(claim.statement.expected, Verdict::error) << claim.statement.id;
}

// Those whose checks change their own constants begin with a thousandth of each.
TEST(Suite, plants_errors_no_larger_than_a_tenth_for_some_near_miss_of_most_statements) {
  std::size_t fine = 0;
  for (const auto& claim : all_claims()) {
    double smallest = claim.check.judges_changes ? 0.001 : 2;
    for (const auto& miss : claim.near_misses) smallest = std::min(smallest, miss.delta);
    // A statement of the language is changed by its referee: every number, and the right side, by a thousandth first.
    if (claim.check.judges_changes) smallest = 0.001;
    fine += smallest <= 0.1 ? 1 : 0;
  }
  EXPECT_GT(2 * fine, all_claims().size());
}

}  // namespace
}  // namespace attest::engine
