// What a judgement leaves in files and says.
#include "simulations/judge/record/write_judgement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace attest::judge
