// The suite as it stands: what every statement in it owes its reader.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "theorems/engine/registry.hpp"

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

TEST(Suite, never_records_an_error_as_the_expected_verdict) {
  for (const auto& claim : all_claims()) EXPECT_NE(claim.statement.expected, Verdict::error) << claim.statement.id;
}

TEST(Suite, plants_errors_no_larger_than_a_tenth_for_some_near_miss_of_most_statements) {
  std::size_t fine = 0;
  for (const auto& claim : all_claims()) {
    double smallest = 2;
    for (const auto& miss : claim.near_misses) smallest = std::min(smallest, miss.delta);
    fine += smallest <= 0.1 ? 1 : 0;
  }
  EXPECT_GT(2 * fine, all_claims().size());
}

}  // namespace
}  // namespace attest::engine
