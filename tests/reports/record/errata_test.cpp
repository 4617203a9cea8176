#include "reports/record/errata.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/example.hpp"

namespace attest::reports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Claim claim(const std::string& id, const std::string& finding, Verdict verdict, std::vector<std::string> grounds = {}) {
  Claim made;
  made.id = id;
  made.finding = finding;
  made.verdict = verdict;
  made.depends_on = std::move(grounds);
  return made;
}

std::vector<std::string> ids(const std::vector<Erratum>& all) {
  std::vector<std::string> ids;
  for (const Erratum& each : all) ids.push_back(each.printed->id);
  return ids;
}

TEST(Errata, are_ordered_by_finding_then_by_what_rests_on_them) {
  Results results;
  results.claims = {claim("slip", "slip", Verdict::refuted),
                    claim("lonely", "error", Verdict::refuted),
                    claim("ground", "error", Verdict::refuted),
                    claim("plain", "", Verdict::refuted),
                    claim("holds", "", Verdict::supported, {"ground"}),
                    claim("open", "unsupported", Verdict::undecided),
                    claim("factor", "constant", Verdict::refuted, {"holds"}),
                    claim("strange", "of-a-later-version", Verdict::refuted)};
  const std::vector<Erratum> all = errata(results);
  EXPECT_THAT(ids(all), ElementsAre("ground", "lonely", "factor", "slip", "open", "plain", "strange"));
  EXPECT_EQ(all.front().dependents.size(), 2U) << "holds, and through it factor";
}

TEST(Errata, lead_with_errors_and_constants_alone) {
  Results results;
  results.claims = {claim("slip", "slip", Verdict::refuted), claim("factor", "constant", Verdict::refuted),
                    claim("wrong", "error", Verdict::refuted)};
  EXPECT_THAT(ids(gravest(errata(results), 10)), ElementsAre("wrong", "factor"));
  EXPECT_THAT(ids(gravest(errata(results), 1)), ElementsAre("wrong"));
}

TEST(Errata, are_printed_statements_and_keep_amended_ones_that_hold_apart) {
  Results results;
  results.claims = {claim("holds", "", Verdict::supported), claim("better", "", Verdict::supported),
                    claim("ours", "", Verdict::refuted)};
  results.claims[1].printed = results.claims[2].printed = false;
  results.claims[1].amends = "holds";
  EXPECT_THAT(errata(results), IsEmpty());
  EXPECT_THAT(ids(sharpened(results)), ElementsAre("holds"));
}

}  // namespace
}  // namespace attest::reports
