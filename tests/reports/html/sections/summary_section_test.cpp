#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/explain/console_table.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/record/junit.hpp"
#include "tests/reports/example.hpp"

namespace attest::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The claims of the example that are as recorded, with nothing left to warn of.
Results all_as_recorded() {
  Results results = example();
  for (Claim& claim : results.claims) claim.expected = claim.verdict;
  for (Claim& claim : results.claims) {
    for (NearMiss& miss : claim.near_misses) {
      if (miss.verdict) miss.verdict = Verdict::refuted;
      miss.caught = miss.verdict.has_value();
    }
    claim.near_hits.clear();
  }
  return results;
}

TEST(SummarySection, says_how_many_near_misses_were_refuted_and_how_many_limits_stay_undecided) {
  Results results = all_as_recorded();
  EXPECT_THAT(html::summary_section(results), HasSubstr("and no near-miss got through: 10 of 10 refuted.</p>"));

  const auto claim = std::find_if(results.claims.begin(), results.claims.end(),
                                  [](const Claim& c) { return near_misses_of(c).judged > 0; });
  claim->near_misses.front().verdict = Verdict::undecided;  // a limit, with the trend of its grid against it
  const std::string both = "9 of 10 refuted, 1 undecided with the trend of its grid against it";
  EXPECT_THAT(html::summary_section(results), HasSubstr("and no near-miss got through: " + both));
  EXPECT_THAT(html::run_section(results), HasSubstr(both));
  EXPECT_THAT(console_totals(results, {}), HasSubstr("Near-misses caught: 10 of 10 (" + both + ")"));
  EXPECT_THAT(junit_xml(results), HasSubstr("1 undecided with the trend of its grid against it</system-out>"));
}

TEST(SummarySection, names_the_verdict_of_what_neither_stands_nor_is_refuted) {
  Results results = example();
  for (Claim& claim : results.claims) claim.verdict = Verdict::supported;
  const auto printed =
      std::count_if(results.claims.begin(), results.claims.end(), [](const Claim& claim) { return claim.printed; });
  EXPECT_THAT(html::summary_section(results),
              HasSubstr(std::to_string(printed) + "</strong> stand and <strong>0</strong> are refuted.</p>"));

  Claim& first = *std::find_if(results.claims.begin(), results.claims.end(), [](const Claim& c) { return c.printed; });
  first.verdict = Verdict::error;
  EXPECT_THAT(html::summary_section(results), HasSubstr("are refuted; 1 in error.</p>"));
  EXPECT_THAT(html::paper_in_words(results, first.paper), HasSubstr(" 0 refuted; 1 in error"));
  std::find_if(&first + 1, &results.claims.back() + 1, [](const Claim& c) { return c.printed; })->verdict =
      Verdict::undecided;
  EXPECT_THAT(html::summary_section(results), HasSubstr("are refuted; 1 undecided, 1 in error.</p>"));
}

TEST(SummarySection, says_nothing_of_near_misses_that_were_not_judged) {
  Results results = all_as_recorded();
  for (Claim& claim : results.claims) claim.near_misses.clear();
  EXPECT_THAT(html::summary_section(results),
              AllOf(HasSubstr("Every verdict is the one on record.</p>"), Not(HasSubstr("near-miss"))));
}

}  // namespace
}  // namespace attest::reports
