#include "reports/text/shell_word.hpp"

#include <gtest/gtest.h>

namespace attest::reports {
namespace {

TEST(ShellWord, leaves_alone_what_a_shell_takes_as_it_is) {
  EXPECT_EQ(shell_word("out/judge/case-1.json"), "out/judge/case-1.json");
  EXPECT_EQ(shell_word("--set=masked_nan"), "--set=masked_nan");
}

TEST(ShellWord, quotes_blanks_and_all_that_a_shell_would_replace) {
  EXPECT_EQ(shell_word("my paper.attest"), "'my paper.attest'");
  EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace attest::reports
