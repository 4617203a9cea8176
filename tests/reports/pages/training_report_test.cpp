#include "reports/pages/training_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/files/atomic_file.hpp"
#include "reports/files/malformed_results.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

using nlohmann::ordered_json;
using test_support::message_of;
using test_support::ScratchFolder;
using testing::HasSubstr;
using testing::Not;

/// Without gnuplot and KaTeX, which are not what is tested.
ReportTools no_tools(const ScratchFolder& folder) { return {"no-such-gnuplot", {folder.path()}}; }

/// What the contract promises of every summary, and no more.
ordered_json plain() { return ordered_json::parse(test_support::content_of(ATTEST_TEST_DATA "/summary_example.json")); }

std::string page_of(const ordered_json& summary) {
  const ScratchFolder folder;
  folder.write("summary.json", summary.dump());
  return read_whole_file(write_training_report(folder.path(), no_tools(folder)).page);
}

TEST(TrainingReport, shows_means_differences_and_verdicts_of_any_summary) {
  const std::string page = page_of(plain());
  EXPECT_THAT(page, HasSubstr("0.85<span class=\"interval\">[0.83, 0.87]</span>"));
  EXPECT_THAT(page, HasSubstr("+0.05<span class=\"interval\">[0.01, 0.09]</span>"));
  EXPECT_THAT(page, HasSubstr("twicing with softmax"));
  EXPECT_THAT(page, HasSubstr("1 comparison: 1 twicing better."));
  EXPECT_THAT(page, HasSubstr("in 75 s."));
}

TEST(TrainingReport, shows_the_metrics_of_the_compared_part_and_no_interval_that_one_seed_leaves_open) {
  const std::string page = page_of(plain());
  EXPECT_THAT(page, HasSubstr("test loss"));
  EXPECT_THAT(page, HasSubstr("<td class=\"number\">0.6</td>"));
  EXPECT_THAT(page, Not(HasSubstr("7777")));
}

TEST(TrainingReport, puts_the_papers_numbers_beside_ours_and_names_the_statement) {
  ordered_json summary = plain();
  summary["paper"] = {{"source", "A paper, Table 1"}, {"note", "another data set"}};
  summary["power"] = "it finds a difference of 3 deviations";
  summary["variants"][1]["paper"] = 72.6;
  summary["comparisons"][0]["paper"] = 0.6;
  summary["comparisons"][0]["detectable"] = 0.0123;
  summary["comparisons"][0]["claim"] = "Table 1 (twicing)";
  const std::string page = page_of(summary);
  for (const char* words : {"A paper, Table 1", "Another data set.",
                            "Said before the first step: it finds a difference", "72.6", "0.0123", "Table 1 (twicing)"})
    EXPECT_THAT(page, HasSubstr(words));
}

TEST(TrainingReport, shows_what_was_measured_on_its_models) {
  const ScratchFolder folder;
  folder.write("summary.json", plain().dump());
  folder.write("measured/twicing-seed-1.json",
               R"({"measurements": [{"id": "spectrum", "title": "Spectra of twicing", "tables": [], "figures": []}]})");
  const std::string page = read_whole_file(write_training_report(folder.path(), no_tools(folder)).page);
  EXPECT_THAT(page, HasSubstr("Spectra of twicing"));
}

TEST(TrainingReport, refuses_what_is_no_summary) {
  const auto complaint = [](const ordered_json& summary) {
    const ScratchFolder folder;
    folder.write("summary.json", summary.dump());
    return message_of<MalformedResults>([&] { write_training_report(folder.path(), no_tools(folder)); });
  };
  ordered_json summary = plain();
  summary["variants"][1]["metrics"].erase("test_accuracy");
  EXPECT_THAT(complaint(summary), HasSubstr("variants[1].metrics"));
  summary = plain();
  summary["comparisons"][0]["interval"] = {1};
  EXPECT_THAT(complaint(summary), HasSubstr("comparisons[0].interval has 1 number,"));
  summary = plain();
  summary["tables"] = {{{"caption", ""}, {"columns", {"a", "b"}}, {"rows", {{"1"}}}}};
  EXPECT_THAT(complaint(summary), HasSubstr("1 cell for 2 columns"));
  summary = plain();
  summary["variants"] = ordered_json::array();
  EXPECT_THAT(complaint(summary), HasSubstr("variants is empty"));
  const ScratchFolder empty;
  EXPECT_THROW(write_training_report(empty.path(), no_tools(empty)), MalformedResults);
}

}  // namespace
}  // namespace attest::reports
