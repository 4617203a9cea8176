#include "reports/explain/console_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/record/totals.hpp"
#include "reports/text/terminal.hpp"
#include "tests/reports/example.hpp"

namespace attest::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> lines(const std::string& text) { return wrapped(text, 100000); }

TEST(ConsoleTable, lists_every_claim_and_marks_the_unexpected_one) {
  const Results results = example();
  const std::string table = console_table(results, {.columns = 160, .colour = false});
  for (const Claim& claim : results.claims) EXPECT_THAT(table, HasSubstr(claim.id));
  EXPECT_THAT(table, testing::ContainsRegex("error      ≠            Thm 1 +primal-dual/gap"));
  EXPECT_THAT(table, testing::ContainsRegex("supported  =            Prop 3.1 .* boosting/snr-first-inequality"));
  EXPECT_THAT(table, HasSubstr("= as on record, ≠ not as on record"));
}

TEST(ConsoleTable, names_what_is_wrong_with_a_statement) {
  Results results = example();
  results.claims[1].finding = "constant";
  EXPECT_THAT(console_table(results, {.columns = 160, .colour = false}),
              HasSubstr("refuted    =  constant  " + results.claims[1].label));
}

TEST(ConsoleTable, keeps_to_the_width_of_the_terminal) {
  const Results results = example();
  for (const int columns : {72, 80, 120, 200}) {
    const std::string table = console_table(results, {.columns = columns, .colour = false});
    const std::string rows = table.substr(0, table.find("9 statements"));
    for (const std::string& line : lines(rows))
      EXPECT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
  }
}

TEST(ConsoleTable, keeps_labels_where_there_is_no_room_for_all) {
  const std::string table = console_table(example(), {.columns = 100, .colour = false});
  EXPECT_THAT(table, HasSubstr("Prop 3.1 / Eq 3.4"));
  EXPECT_THAT(table, HasSubstr("primal-dual/gap"));
}

TEST(ConsoleTable, colours_only_when_asked) {
  EXPECT_THAT(console_table(example(), {.columns = 100, .colour = true}), HasSubstr("\x1b["));
  EXPECT_THAT(console_table(example(), {.columns = 100, .colour = false}), Not(HasSubstr("\x1b")));
}

TEST(ConsoleTotals, state_counts_surprises_power_and_error_rate) {
  const std::string text = console_totals(example(), {.columns = 100, .colour = false});
  EXPECT_THAT(text,
              AllOf(HasSubstr("9 statements: 1 certified, 3 supported, 2 refuted, 1 undecided, 1 vacuous, 1 error"),
                    HasSubstr("primal-dual/gap: error, expected supported"),
                    HasSubstr("Near-misses caught: 8 of 10; smallest error caught: 0.001"), HasSubstr("at most 1e-06"),
                    HasSubstr("Seed 20250101, budget quick, 2 threads")));
}

TEST(ConsoleTotals, group_the_digits_of_large_counts) {
  Results results;
  Claim& claim = results.claims.emplace_back();
  claim.near_misses.resize(12000);
  for (NearMiss& miss : claim.near_misses) {
    miss.verdict = Verdict::refuted;
    miss.caught = true;
  }
  EXPECT_THAT(console_totals(results, {}), HasSubstr("Near-misses caught: 12\u202f000 of 12\u202f000.\n"));
}

TEST(ConsoleTotals, say_which_exact_verdicts_have_no_evidence_file_and_why) {
  Results results = example();
  const int exact = totals(results).exact;
  ASSERT_GE(exact, 2);
  int seen = 0;
  for (Claim& claim : results.claims) {
    claim.evidence_file.reset();
    if (!is_exact(claim)) continue;
    claim.no_evidence = ++seen == 1 ? "" : "its check is in C++";
    if (seen == 1) claim.evidence_file = "certificates/one.json";
  }
  std::string lacking;
  for (const Claim& claim : results.claims)
    if (!claim.no_evidence.empty()) lacking += (lacking.empty() ? "" : ", ") + claim.id;
  const std::string text = console_totals(results, {.columns = 200, .colour = false});
  EXPECT_THAT(text, HasSubstr("Evidence files, for attest verify: 1 of " + std::to_string(exact) + " exact verdicts"));
  EXPECT_THAT(text, HasSubstr("  " + lacking + ": its check is in C++"));
  for (Claim& claim : results.claims) claim.no_evidence.clear();
  EXPECT_THAT(console_totals(results, {}), HasSubstr("exact verdicts.\n"));
}

TEST(ConsoleTotals, give_each_reason_for_no_evidence_file_once_within_the_width_of_the_terminal) {
  Results results;
  for (const char* id : {"a/one", "a/two"}) {
    Claim& claim = results.claims.emplace_back();
    claim.id = id;
    claim.verdict = claim.expected = Verdict::certified;
    claim.evidence.parts = {{"left", {}, {}}, {"right", {}, {}}, {"middle", {}, {}}};
    claim.no_evidence = "left: it rests on signs; right: it rests on signs; middle: its check is in C++";
  }
  results.claims[1].no_evidence = "middle: it rests on signs";
  const std::string text = console_totals(results, {.columns = 48, .colour = false});
  EXPECT_THAT(text, HasSubstr("0 of 2 exact verdicts; not for\n"
                              "  a/one (2 of 3 parts), a/two (middle): it rests\n"
                              "  on signs\n"
                              "  a/one (middle): its check is in C++\n"));
}

TEST(ConsoleTotals, say_that_all_is_as_recorded_only_when_it_is) {
  Results results = example();
  EXPECT_THAT(console_totals(results, {}), Not(HasSubstr("Every verdict is the one on record")));
  results.claims.pop_back();
  EXPECT_THAT(console_totals(results, {}), HasSubstr("Every verdict is the one on record"));
}

}  // namespace
}  // namespace attest::reports
