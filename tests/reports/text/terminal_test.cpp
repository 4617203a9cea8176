#include "reports/text/terminal.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::reports {
namespace {

TEST(Terminal, takes_its_width_from_COLUMNS_and_never_less_than_40) {
  setenv("COLUMNS", "132", 1);
  EXPECT_EQ(terminal_of(-1).columns, 132);
  setenv("COLUMNS", "3", 1);
  EXPECT_EQ(terminal_of(-1).columns, 40);
  unsetenv("COLUMNS");
  EXPECT_EQ(terminal_of(-1).columns, 100);
}

TEST(Terminal, has_no_colour_where_there_is_no_terminal) { EXPECT_FALSE(terminal_of(-1).colour); }

TEST(DisplayWidth, counts_characters_not_bytes_and_no_combining_accents) {
  EXPECT_EQ(display_width("αβ≤"), 3U);
  EXPECT_EQ(display_width("y\u0302"), 1U);
}

TEST(FitTo, fills_up_or_cuts_with_an_ellipsis_on_one_line) {
  EXPECT_EQ(fit_to("αβ", 4), "αβ  ");
  EXPECT_EQ(fit_to("αβγδε", 4), "αβγ…");
  EXPECT_EQ(fit_to("a\nb", 4), "a b ");
  EXPECT_EQ(fit_to("abc", 0), "");
}

TEST(Wrapped, breaks_at_spaces_and_keeps_long_words_whole) {
  EXPECT_THAT(wrapped("one two three", 7), testing::ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("unbreakable x", 4), testing::ElementsAre("unbreakable", "x"));
  EXPECT_THAT(wrapped("a\nb", 10), testing::ElementsAre("a", "b"));
  EXPECT_THAT(wrapped("", 10), testing::ElementsAre(""));
}

TEST(Styled, writes_escape_sequences_only_when_asked) {
  EXPECT_EQ(styled("x", Style::red, false), "x");
  EXPECT_EQ(styled("x", Style::red, true), "\x1b[31mx\x1b[0m");
}

}  // namespace
}  // namespace attest::reports
