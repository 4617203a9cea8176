// Changed statements told by what changes.
#include "theorems/language/papers/replacements.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "theorems/language/papers/paper_file.hpp"

namespace attest::language {
namespace {

using testing::HasSubstr;

std::string changed(const std::string& text, const std::vector<std::string>& says) {
  return with_replacements(text, says);
}

std::string problem_of(const std::string& text, const std::vector<std::string>& says) {
  try {
    changed(text, says);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

const std::string lipschitz = "forall n in 2..64, x, y in R^n:\n    norm(softmax(x) - softmax(y)) <= 1/2*norm(x - y)";

TEST(Replacements, change_the_statement_in_one_place_each) {
  EXPECT_EQ(changed("replace 1/2 by 0.49", {lipschitz}),
            "forall n in 2..64, x, y in R^n: norm(softmax(x) - softmax(y)) <= 0.49*norm(x - y)");
  EXPECT_EQ(changed("replace 2..64 by {2}\n  replace 1/2*norm(x - y)\n by 0.49*norm(x - y)", {lipschitz}),
            "forall n in {2}, x, y in R^n: norm(softmax(x) - softmax(y)) <= 0.49*norm(x - y)");
}

TEST(Replacements, do_not_cut_names_or_numbers) {
  EXPECT_EQ(changed("replace n by 3", {"forall x in R^2: norm(x) >= n"}), "forall x in R^2: norm(x) >= 3");
  EXPECT_EQ(changed("replace 1 by 2", {"forall x in [1, 10]: x <= 10"}), "forall x in [2, 10]: x <= 10");
}

TEST(Replacements, find_the_part_where_they_apply) {
  EXPECT_EQ(changed("replace 3 by 4", {"forall x in R: x^2 >= 0", "1 + 2 = 3"}), "1 + 2 = 4");
}

TEST(Replacements, that_do_not_apply_are_refused) {
  EXPECT_THAT(problem_of("replace 1/3 by 1/4", {lipschitz}), HasSubstr("'1/3' does not occur"));
  EXPECT_THAT(problem_of("replace norm by abs", {lipschitz}), HasSubstr("'norm' occurs 2 times"));
  EXPECT_THAT(problem_of("replace 1/2", {lipschitz}), HasSubstr("has no two sides"));
  EXPECT_THAT(problem_of("replace 1/2 by 1/2", {lipschitz}), HasSubstr("changes nothing"));
  EXPECT_THAT(problem_of("replace 3 by 4", {"3 = 3"}), HasSubstr("occurs 2 times"));
}

TEST(Replacements, in_a_paper_belong_to_the_part_that_the_name_begins_with) {
  const PaperFile file = read_paper(
      "paper \"P\"\nclaim a\n  says [one] 1 + 1 = 2\n  says [two] 1 + 1 < 3\n"
      "  near_miss [two: not above] replace 3 by 2\n",
      "p.attest");
  EXPECT_EQ(file.claims.at(0).near_misses.at(0).text, "1 + 1 < 2");
}

TEST(Replacements, in_a_paper_are_reported_with_their_line) {
  const auto sentence_of = [](const std::string& lines) {
    try {
      read_paper("paper \"P\"\nclaim a\n" + lines, "p.attest");
    } catch (const PaperProblem& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  EXPECT_THAT(sentence_of("  says 1 + 1 = 2\n  near_miss [x] replace 3 by 2\n"),
              testing::AllOf(HasSubstr("line 4"), HasSubstr("'3' does not occur")));
  EXPECT_THAT(sentence_of("  says 1 + 1 = 2\n  near_miss [x] replace = 2 by = (\n"),
              testing::AllOf(HasSubstr("line 4"), HasSubstr("with the replacement made")));
  EXPECT_THAT(sentence_of("  near_miss [x] replace 3 by 2\n  says 1 + 1 = 2\n"), HasSubstr("move it below 'says'"));
}

}  // namespace
}  // namespace attest::language
