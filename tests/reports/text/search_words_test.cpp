#include "reports/text/search_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::reports {
namespace {

using testing::ElementsAre;

bool finds(std::string_view query, std::string_view text) { return matches_search(searchable(text), query); }

TEST(Search, knows_labels_however_they_are_spelled) {
  for (const char* query : {"theorem 3.1", "Thm 3.1", "THEOREM 3.1", "theorem 3.1 noise"})
    EXPECT_TRUE(finds(query, "Thm 3.1 / Eq 3.4: noise")) << query;
  EXPECT_TRUE(finds("equation 3.4", "Thm 3.1 / Eq. 3.4"));
  EXPECT_TRUE(finds("proposition 2", "Prop 2 (first part)"));
  EXPECT_TRUE(finds("eq 12", "Eqs 11, 12, 18 and 19"));
  EXPECT_TRUE(finds("theor", "Thm 3.1")) << "half a word, while it is typed";
}

TEST(Search, takes_a_number_for_this_number_alone) {
  EXPECT_FALSE(finds("theorem 3.4", "Thm 3.1 / Eq 3.4"));
  EXPECT_FALSE(finds("3.1", "Eq 3.12"));
  EXPECT_FALSE(finds("3.1", "Eq 13.1"));
  EXPECT_TRUE(finds("3.1", "Eq 3.1a"));
  EXPECT_TRUE(finds("3", "Eq 3.1"));
}

TEST(Search, looks_through_hyphens) {
  EXPECT_TRUE(finds("lipschitz ratio", "The Lipschitz-ratio"));
  EXPECT_TRUE(finds("Lipschitz-ratio", "ratio of Lipschitz constants"));
  EXPECT_TRUE(finds("logsumexp", "log-sum-exp is convex"));
  EXPECT_TRUE(finds("log-sum-exp", "logsumexp is convex"));
}

TEST(Search, finds_every_word_or_nothing) {
  EXPECT_TRUE(finds("", "anything"));
  EXPECT_TRUE(finds("  ,. ", "anything"));
  EXPECT_TRUE(finds("soft grad", "the gradient of softmax"));
  EXPECT_FALSE(finds("soft hessian", "the gradient of softmax"));
  EXPECT_TRUE(finds("σ", "bounded by σ"));
}

TEST(Search, splits_where_letters_and_numbers_end) {
  EXPECT_THAT(search_words("Eq. 3.4 (b): a/b-c"), ElementsAre("eq", "3.4", "b", "a", "b", "c", "bc"));
  EXPECT_THAT(search_words("--"), ElementsAre());
}

}  // namespace
}  // namespace attest::reports
