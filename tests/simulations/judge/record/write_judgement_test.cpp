// What a judgement leaves in files and says.
#include "simulations/judge/record/write_judgement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "simulations/arrays/array_file.hpp"
#include "tests/simulations/scratch_folder.hpp"

namespace attest::judge {
namespace {

using testing::HasSubstr;
using testing::Not;

class WriteJudgement : public testing::Test {
 protected:
  arrays::NamedArrays stored(const CaseSpec& spec) const {
    Judgement judgement;
    Finding finding;
    finding.spec = spec;
    judgement.findings.push_back(finding);
    const Asked asked{"./libmine.so", spec.mechanism, {}, folder_.path()};
    write_cases(asked, judgement);
    return arrays::read_arrays(folder_.path() / "case-1.npz");
  }

  ScratchFolder folder_;
};

TEST_F(WriteJudgement, stores_all_that_a_case_of_softmax_hands_over_and_what_belongs) {
  CaseSpec spec;
  spec.gradient = true;
  spec.mask = "bool NN";
  const arrays::NamedArrays arrays = stored(spec);
  for (const char* name :
       {"q", "k", "v", "mask", "dout", "expected.out", "expected.lse", "expected.dq", "expected.dk", "expected.dv"})
    EXPECT_TRUE(arrays.contains(name)) << name;
}

TEST_F(WriteJudgement, stores_the_same_of_other_mechanisms) {
  CaseSpec spec;
  spec.mechanism = "twicing";
  spec.gradient = true;
  spec.batch = 2;
  spec.mask = "bool NN";
  spec.padding = 1;
  const arrays::NamedArrays arrays = stored(spec);
  for (const char* name :
       {"q", "k", "v", "mask", "key_lengths", "dout", "expected.out", "expected.dq", "expected.dk", "expected.dv"})
    EXPECT_TRUE(arrays.contains(name)) << name;
  EXPECT_EQ(arrays.at("expected.out").shape, arrays.at("dout").shape);
  EXPECT_EQ(arrays.at("expected.dk").shape, arrays.at("k").shape);
}

TEST(JudgementText, counts_one_of_a_thing_as_one) {
  Judgement judgement;
  judgement.cases = judgement.calls = 1;
  judgement.findings.resize(1);
  judgement.findings.front().cases = 1;
  const std::string text = judgement_text({"./libmine.so", "softmax", {}, {}}, judgement);
  EXPECT_THAT(text, HasSubstr("(1 case)"));
  EXPECT_THAT(text, HasSubstr("1 finding in 1 case, 1 call,"));
}

TEST(JudgementText, is_loud_about_a_pass_on_few_cases) {
  const Asked asked{"./libmine.so", "softmax", {}, {}};
  Judgement judgement;
  judgement.offered = 400;
  judgement.cases = 99;
  EXPECT_THAT(judgement_text(asked, judgement), HasSubstr("few cases: 99 of 400"));
  judgement.cases = 100;
  EXPECT_THAT(judgement_text(asked, judgement), Not(HasSubstr("few cases")));
}

TEST(JudgementText, says_how_options_that_are_taken_and_ignored_are_left_out) {
  const Asked asked{"python:k.py:f", "softmax", {}, {}};
  Judgement judgement;
  judgement.findings.resize(1);
  judgement.findings.front().fault = fault::window_ignored;
  EXPECT_THAT(judgement_text(asked, judgement), Not(HasSubstr("--options")));
  judgement.any_option = true;
  EXPECT_THAT(judgement_text(asked, judgement), HasSubstr("--options followed by those that it computes"));
  judgement.findings.front().fault = fault::scale_applied_wrongly;
  EXPECT_THAT(judgement_text(asked, judgement), Not(HasSubstr("--options")));
}

TEST(JudgementText, files_and_text_agree_on_the_number_of_cases) {
  const Asked asked{"./libmine.so", "softmax", {}, {}};
  Judgement judgement;
  judgement.offered = 763;
  judgement.cases = 138;
  EXPECT_THAT(judgement_text(asked, judgement), HasSubstr("no finding in 138 of 763 cases"));
  EXPECT_THAT(judgement_text(asked, judgement), HasSubstr("few cases: 138 of 763 cases"));
  const auto json = judgement_json(asked, judgement);
  EXPECT_EQ(json.at("cases"), 138);
  EXPECT_EQ(json.at("offered"), 763);
  const std::string junit = judgement_junit(asked, judgement);
  EXPECT_THAT(junit, HasSubstr(R"(<property name="cases" value="138"/>)"));
  EXPECT_THAT(junit, HasSubstr(R"(<property name="offered" value="763"/>)"));
  EXPECT_THAT(junit, HasSubstr("138 cases without a finding"));
}

TEST(JudgementSarif, places_findings_at_the_source_else_at_what_was_judged_or_the_case) {
  Asked asked{"command:./mine {in} {out}", "softmax", {}, "out/judge"};
  Judgement judgement;
  judgement.findings.resize(1);
  const auto place = [&] {
    const auto document = nlohmann::json::parse(judgement_sarif(asked, judgement, "0.1.0"));
    return document["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
  };
  EXPECT_EQ(place()["artifactLocation"]["uri"], "out/judge/case-1.json");
  EXPECT_EQ(place()["region"]["startLine"], 1);
  asked.only = "kept/case-7.json";
  EXPECT_EQ(place()["artifactLocation"]["uri"], "kept/case-7.json");
  judgement.source = {"kernels/mine.py", 12};
  EXPECT_EQ(place()["artifactLocation"]["uri"], "kernels/mine.py");
  EXPECT_EQ(place()["region"]["startLine"], 12);
}

}  // namespace
}  // namespace attest::judge
