// Numbers of a sentence that are computed as it is read.
#include "theorems/language/papers/computed_numbers.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "theorems/language/papers/paper_file.hpp"
#include "theorems/language/problem.hpp"

namespace attest::language {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& prose) {
  try {
    return "read as: " + with_computed_numbers(prose);
  } catch (const Problem& problem) {
    return problem.what();
  }
}

TEST(ComputedNumbers, AreRoundedToTheirDigits) {
  EXPECT_EQ(with_computed_numbers("no number"), "no number");
  EXPECT_EQ(with_computed_numbers("raises it by {= 100*(sqrt(pi/2) - 1)} percent"), "raises it by 25.3 percent");
  EXPECT_EQ(with_computed_numbers("{= 2/3}, {= 2/3 to 1 digits}, {= 2/3 to 9 digits}"), "0.667, 0.7, 0.666666667");
  EXPECT_EQ(with_computed_numbers("{= 76.38 - 74.47} {= 1/4} {= 1 - 1} {= 10 - 1/1000}"), "1.91 0.25 0 10");
  EXPECT_EQ(with_computed_numbers("{= 2*24*197*192} {= 12345.6 to 2 digits} {= -1/8}"), "1815552 12346 -0.125");
  EXPECT_EQ(with_computed_numbers("{= sum(i in 1..3: i^2)} of {1, 2} and {= max([1, 2, 5])}"), "14 of {1, 2} and 5");
}

TEST(ComputedNumbers, ThatCannotBeComputedAreRefusedAtTheirPlace) {
  EXPECT_THAT(refusal("so {= 1/3"), HasSubstr("line 1, column 4: the braces are not closed"));
  EXPECT_THAT(refusal("first\nand {= 1/3 + sqr(2)}"), HasSubstr("line 2, column 14"));
  EXPECT_THAT(refusal("{= x + 1}"), HasSubstr("line 1, column 4"));
  EXPECT_THAT(refusal("{= [1, 2]}"), HasSubstr("write a formula that is one number"));
  EXPECT_THAT(refusal("{= 1/0}"), HasSubstr("line 1, column 5: a number is divided by 0"));
  EXPECT_THAT(refusal("{= log(0 - 1)}"), HasSubstr("has no value"));
  EXPECT_THAT(refusal("{= 0.145 to 2 digits}"), HasSubstr("cannot be rounded to 2 digits with certainty"));
  EXPECT_THAT(refusal("{= 1/8 to some digits}"), HasSubstr("does not say how many digits"));
  EXPECT_THAT(refusal("{= 1/8 to 10 digits}"), HasSubstr("1 to 9 of them"));
  EXPECT_THAT(refusal("{= 10^40}"), HasSubstr("is not written out; scale it"));
  EXPECT_THAT(refusal("{= 10^(-40)}"), HasSubstr("is not written out; scale it"));
}

TEST(ComputedNumbers, StandInTitlesAssumptionsAndNotes) {
  const PaperFile file = read_paper(R"(paper "P"
claim one
  title Below {= 3/4}
  says forall x in R: x^2 >= 0
  assumes {= 7/8} of it
  note Or {= 100*(1 -
    1/4)} percent
)",
                                    "p.attest");
  EXPECT_EQ(file.claims.front().title, "Below 0.75");
  EXPECT_EQ(file.claims.front().assumptions.front(), "0.875 of it");
  EXPECT_EQ(file.claims.front().note, "Or 75 percent");
  try {
    read_paper("paper \"P\"\nclaim one\n  says 1 <= 2\n  note Or\n    {= 1 +* 2}\n", "p.attest");
    FAIL() << "the note was read";
  } catch (const PaperProblem& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("p.attest, line 5, column"));
  }
}

}  // namespace
}  // namespace attest::language
