// Damaged statements are read or refused, and never anything else.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/theorems/language/damaged_text.hpp"
#include "tests/theorems/language/statement_corpus.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {
namespace {

const std::vector<std::string> pieces = {"forall ",
                                         " in ",
                                         " where ",
                                         "exists x in R: ",
                                         "random g ~ normal(0, 1)^n: ",
                                         "let a = ",
                                         "limit n -> inf: ",
                                         "best C in [0, 1]: ",
                                         "E[",
                                         "P[",
                                         "O(",
                                         "(",
                                         ")",
                                         "[",
                                         "]",
                                         "{",
                                         "}",
                                         "..",
                                         ".*",
                                         "./",
                                         ".^",
                                         "^",
                                         "'",
                                         "\"",
                                         "not ",
                                         " and ",
                                         " or ",
                                         " => ",
                                         "<=",
                                         "=",
                                         "1/0",
                                         "1e99999",
                                         "sum(i in 1..n: ",
                                         "max(",
                                         "K(l + 1) = ",
                                         "≤",
                                         "α",
                                         "²",
                                         ", ",
                                         ":",
                                         ";",
                                         "#",
                                         "\n",
                                         "-",
                                         "9999999999999999999",
                                         "attention(\"softmax\", ",
                                         "inf",
                                         "e",
                                         "pi"};

TEST(Damage, StatementsAreReadOrRefusedAndWhatIsReadReadsBack) {
  int read = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    const std::string text = damaged(statement_corpus(), pieces, seed);
    try {
      const Statement statement = read_statement(text);
      ++read;
      const std::string normal = normal_form(statement);
      ASSERT_TRUE(same(statement, read_statement(normal))) << "seed " << seed << ": " << text << "\n" << normal;
      ASSERT_FALSE(tex(statement).empty());
    } catch (const Problem& problem) {
      ++refused;
      ASSERT_GT(problem.place().line, 0) << "seed " << seed << ": " << text << "\n" << problem.what();
      ASSERT_GT(problem.place().column, 0) << "seed " << seed << ": " << text;
      ASSERT_EQ(problem.sentence().find('\n'), std::string::npos) << "seed " << seed << ": " << text;
    }
  }
  // Damage that everything or nothing survives would test nothing.
  EXPECT_GT(read, 3'000);
  EXPECT_GT(refused, 50'000);
}

}  // namespace
}  // namespace attest::language
