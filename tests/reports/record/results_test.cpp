#include "reports/record/results.hpp"

#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/files/atomic_file.hpp"
#include "reports/files/malformed_results.hpp"
#include "tests/reports/example.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

using json = nlohmann::ordered_json;
using test_support::message_of;
using test_support::ScratchFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// The complaint about the example after `spoil` has been at it.
std::string complaint(const std::function<void(json&)>& spoil) {
  json document = json::parse(read_whole_file(example_file()));
  spoil(document);
  return message_of<MalformedResults>([&] { results_from_json(document, "results.json"); });
}

TEST(Results, holds_every_field_of_the_document) {
  const Results results = example();
  EXPECT_EQ(results.suite.seed, "20250101");
  EXPECT_EQ(results.suite.false_alarm_bound, 1e-6);
  const Claim& claim = results.claims.front();
  EXPECT_EQ(claim.id, "boosting/snr-first-inequality");
  EXPECT_EQ(claim.verdict, Verdict::supported);
  EXPECT_EQ(claim.evidence.least_slack, 2.2e-16);
  EXPECT_EQ(claim.evidence.slack_at, "d = 2; alpha = 0.5; gamma = 0.25");
  ASSERT_EQ(claim.near_misses.size(), 3U);
  EXPECT_EQ(claim.near_misses[0].delta, 0.01);
  ASSERT_EQ(claim.evidence.figures.size(), 1U);
  EXPECT_EQ(claim.evidence.figures[0].series[0].upper[1], 1.12);
  EXPECT_TRUE(std::isnan(claim.evidence.figures[0].series[1].x[2]));
  EXPECT_EQ(results.measurements[0].tables[0].rows[1][0], "0.5");
}

TEST(Results, lists_the_papers_of_its_claims_with_their_titles_and_in_its_order) {
  const Results results = example();
  std::vector<std::string> keys;
  for (const Paper& paper : results.papers) keys.push_back(paper.key);
  EXPECT_THAT(keys, ElementsAre("twicing", "boosting", "primal-dual"));
  EXPECT_THAT(paper_title(results, "twicing"), HasSubstr("Harnessing"));
  EXPECT_EQ(paper_title(results, "primal-dual"), "primal-dual") << "the document has no title for it";
  EXPECT_THAT(complaint([](json& d) { d["suite"]["papers"][1]["key"] = "twicing"; }), HasSubstr("repeats the paper"));
}

TEST(Results, names_a_number_beyond_double_precision_in_its_own_words) {
  const ScratchFolder folder;
  folder.write("results.json", R"({"schema": "attest-results-1", "suite": {"seconds": 1e999}})");
  const std::string sentence = message_of<MalformedResults>([&] { load_results(folder.path() / "results.json"); });
  EXPECT_THAT(sentence, AllOf(HasSubstr("results.json: holds 1e999, which is beyond double precision"),
                              testing::Not(HasSubstr("json.exception"))));
}

TEST(Results, says_what_a_check_owes) {
  const Results results = example();
  const Claim& claim = *find_claim(results, "boosting/softmax-perturbation");
  ASSERT_EQ(claim.owes.size(), 1U);
  EXPECT_EQ(claim.owes[0].name, "parts without near miss");
  EXPECT_EQ(claim.owes[0].text, "(upper bound, N = 64)");
}

TEST(Results, keeps_evidence_it_has_no_field_for_as_named_text) {
  const Results results = example();
  const Claim& claim = *find_claim(results, "boosting/snr-strict-gain-amended");
  ASSERT_EQ(claim.evidence.further.size(), 2U);
  EXPECT_EQ(claim.evidence.further[0].name, "boxes");
  EXPECT_EQ(claim.evidence.further[0].text, "18231");
}

TEST(Results, reads_configurations_and_sequences) {
  const Results results = example();
  const Evidence& expectation = find_claim(results, "boosting/softmax-perturbation")->evidence;
  ASSERT_EQ(expectation.parts.size(), 2U);
  EXPECT_FALSE(std::isfinite(expectation.parts[1].evidence.interval->upper)) << "null is an end without a bound";
  EXPECT_THAT(find_claim(results, "twicing/eigencapacity")->evidence.grid, ElementsAre(2, 4, 8, 16));
}

TEST(Results, takes_what_is_drawn_for_no_input_of_a_witness) {
  json document = json::parse(read_whole_file(example_file()));
  for (json& claim : document["claims"])
    if (claim["id"] == "boosting/snr-strict-gain") claim["witness"]["drawn"] = {"alpha", "ratio"};
  const Results results = results_from_json(document, "results.json");
  const Witness& witness = *find_claim(results, "boosting/snr-strict-gain")->witness;
  EXPECT_THAT(witness.drawn, ElementsAre("alpha", "ratio"));
  EXPECT_EQ(witness.inputs.size(), 2U);
  EXPECT_TRUE(witness.values.empty());
}

TEST(Results, lists_as_values_of_a_witness_only_what_is_no_input) {
  const Results results = example();
  const Witness& witness = *find_claim(results, "boosting/snr-strict-gain")->witness;
  ASSERT_EQ(witness.inputs.size(), 3U);
  ASSERT_EQ(witness.values.size(), 1U);
  EXPECT_EQ(witness.values[0].first, "ratio");
}

TEST(Results, takes_planted_near_misses_that_were_not_judged_without_a_verdict) {
  const Results results = example();
  const Claim& claim = *find_claim(results, "primal-dual/kkt");
  ASSERT_EQ(claim.near_misses.size(), 1U);
  EXPECT_FALSE(claim.near_misses[0].verdict.has_value());
}

TEST(Results, finds_amendments) {
  const Results results = example();
  const auto amendments = amendments_of(results, *find_claim(results, "boosting/snr-strict-gain"));
  ASSERT_EQ(amendments.size(), 1U);
  EXPECT_EQ(amendments[0]->id, "boosting/snr-strict-gain-amended");
  EXPECT_EQ(find_claim(results, "boosting/none"), nullptr);
}

TEST(Results, refuses_another_schema) {
  EXPECT_THAT(complaint([](json& d) { d["schema"] = "attest-results-2"; }),
              AllOf(HasSubstr("results.json: schema is \"attest-results-2\""), HasSubstr("attest-results-1")));
}

TEST(Results, names_the_place_what_stands_there_and_the_fix) {
  EXPECT_THAT(complaint([](json& d) { d["claims"][3]["verdict"] = "proved"; }),
              AllOf(HasSubstr("results.json: claims[3].verdict is \"proved\""), HasSubstr("certified, supported"),
                    HasSubstr("run 'attest check' again")));
  EXPECT_THAT(complaint([](json& d) { d["claims"][1].erase("kind"); }),
              HasSubstr("claims[1] lacks the member \"kind\""));
  EXPECT_THAT(complaint([](json& d) { d["claims"][1]["title"] = 7; }),
              HasSubstr("claims[1].title is 7, expected a string"));
  EXPECT_THAT(complaint([](json& d) { d["claims"] = 7; }), HasSubstr("claims is 7, expected a list"));
  EXPECT_THAT(complaint([](json& d) { d = json::array(); }), HasSubstr("results.json: the document is a list of 0"));
}

TEST(Results, takes_counts_as_whole_numbers_from_0_on) {
  for (const json& wrong : {json(1e300), json(-1), json(2.5), json(18446744073709551615U)})
    EXPECT_THAT(complaint([&](json& d) { d["suite"]["threads"] = wrong; }),
                AllOf(HasSubstr("suite.threads is "), HasSubstr("expected a whole number from 0 on")));
  json document = json::parse(read_whole_file(example_file()));
  document["suite"]["threads"] = 4.0;
  EXPECT_EQ(results_from_json(document, "results.json").suite.threads, 4);
}

TEST(Results, refuses_a_repeated_id) {
  EXPECT_THAT(complaint([](json& d) { d["claims"][1]["id"] = d["claims"][0]["id"]; }),
              HasSubstr("claims[1].id repeats"));
}

TEST(Results, refuses_a_table_whose_rows_do_not_fit_its_columns) {
  EXPECT_THAT(complaint([](json& d) { d["measurements"][0]["tables"][0]["rows"][0].push_back("extra"); }),
              HasSubstr("measurements[0].tables[0].rows[0] has 6 cells for 5 columns"));
}

TEST(Results, says_where_a_file_stops_being_json) {
  const ScratchFolder folder;
  const auto file = folder.write("results.json", "{\n \"schema\": \"attest-results-1\",\n oops");
  EXPECT_THAT(message_of<MalformedResults>([&] { load_results(file); }),
              AllOf(HasSubstr(file.string()), HasSubstr("not valid JSON at line 3")));
  EXPECT_THROW(load_results(folder.path() / "absent.json"), MalformedResults);
}

}  // namespace
}  // namespace attest::reports
