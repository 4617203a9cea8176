#include "simulations/judge/diagnosis/merge.hpp"

#include <gtest/gtest.h>

namespace attest::judge {
namespace {

void add(std::vector<Record>& records, int count, const std::string& output, const Fault& fault, bool guessed) {
  for (int n = 0; n < count; ++n) {
    Record record;
    Failure failure{output, 10, fault, "off"};
    failure.guessed = guessed;
    record.failures.push_back(failure);
    records.push_back(record);
  }
}

TEST(Merge, AFewGuessesAboutLseAndGradientsFollowFromWhatExplainsManyOutputs) {
  std::vector<Record> records;
  add(records, 8, "out", fault::mask_inverted, false);
  add(records, 2, "lse", fault::wrong_lse, true);
  add(records, 2, "dq", fault::wrong_gradients, true);
  const std::vector<Finding> findings = merged(records);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings.front().fault, fault::mask_inverted);
  EXPECT_EQ(findings.front().cases, 8);
}

TEST(Merge, ManyGuessesStayBesideFewExplainedOutputs) {
  std::vector<Record> records;
  add(records, 2, "out", fault::mask_inverted, false);
  add(records, 8, "lse", fault::wrong_lse, true);
  EXPECT_EQ(merged(records).size(), 2U);
}

TEST(Merge, HeadsThatReadOthersLeakAndDependOnMates) {
  for (const bool guessed : {false, true}) {
    std::vector<Record> records;
    add(records, 3, "out", fault::mixed_up, guessed);
    for (const Fault& follows : {fault::leak, fault::depends_on_mates}) {
      add(records, 1, "out", follows, false);
      records.back().spec.property = follows == fault::leak ? Property::leak : Property::mates;
    }
    // A guess about the mapping does not speak for what was shown by comparing calls.
    EXPECT_EQ(merged(records).size(), guessed ? 3U : 1U);
  }
}

TEST(Merge, WhatIsMeasuredOnWrongOutputsFollowsFromThem) {
  for (const int wrong : {1, 8}) {
    std::vector<Record> records;
    add(records, wrong, "out", fault::wrong_default_scale, false);
    add(records, 8 - wrong, "dq", fault::wrong_dq, false);
    for (Record& record : records) record.ratios["out"] = 1;
    for (const Property property : {Property::own_differences, Property::drawn_dropout}) {
      add(records, 1, "out",
          property == Property::drawn_dropout ? fault::dropout_keeps_the_wrong_fraction
                                              : fault::gradient_disagrees_with_own_forward,
          false);
      records.back().spec.property = property;
    }
    EXPECT_EQ(merged(records).size(), wrong == 8 ? 1U : 4U);
  }
}

TEST(Merge, GradientsThatAreWrongWithoutDropoutAreWrongWithIt) {
  std::vector<Record> records;
  add(records, 2, "dq", fault::wrong_dq, false);
  add(records, 1, "dq", fault::dropout_wrong_in_the_gradients, false);
  records.back().spec.property = Property::drawn_dropout;
  ASSERT_EQ(merged(records).size(), 1U);
  EXPECT_EQ(merged(records).front().fault, fault::wrong_dq);
}

TEST(Merge, WhatDiffersBetweenRunsComesFirst) {
  std::vector<Record> records;
  add(records, 1, "out", fault::leak, false);
  records.back().spec.property = Property::leak;
  add(records, 1, "out", fault::results_differ_between_runs, false);
  records.back().spec.property = Property::repeat;
  ASSERT_EQ(merged(records).size(), 2U);
  EXPECT_EQ(merged(records).front().fault, fault::results_differ_between_runs);
}

TEST(Merge, ExplainedGradientsDoNotMakeOutputsTheirConsequence) {
  std::vector<Record> records;
  add(records, 8, "dq", fault::wrong_dq, false);
  add(records, 2, "out", fault::low_precision, true);
  EXPECT_EQ(merged(records).size(), 2U);
}

}  // namespace
}  // namespace attest::judge
