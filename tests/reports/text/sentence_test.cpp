#include "reports/text/sentence.hpp"

#include <gtest/gtest.h>

namespace attest::reports {
namespace {

TEST(AsSentence, begins_with_a_capital_and_ends_with_a_full_stop) {
  EXPECT_EQ(as_sentence("both sides agree"), "Both sides agree.");
  EXPECT_EQ(as_sentence("a point with negative slack"), "A point with negative slack.");
  EXPECT_EQ(as_sentence("Already a sentence!"), "Already a sentence!");
  EXPECT_EQ(as_sentence(""), "");
}

TEST(AsSentence, leaves_the_case_of_symbols) {
  EXPECT_EQ(as_sentence("n grows"), "n grows.");
  EXPECT_EQ(as_sentence("a = 1"), "a = 1.");
  EXPECT_EQ(as_sentence("epsilon > 0"), "epsilon > 0.");
  EXPECT_EQ(as_sentence("x_j is small"), "x_j is small.");
}

}  // namespace
}  // namespace attest::reports
