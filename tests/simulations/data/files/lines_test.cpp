#include "simulations/data/files/lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/data/files/csv.hpp"

namespace attest::data {
namespace {

using testing::ElementsAre;

TEST(LineReader, takes_both_line_ends_and_a_last_line_without_one) {
  LineReader reader("a\r\n\nb");
  Line line;
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line.text, "a");
  EXPECT_FALSE(reader.unfinished());
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line.text, "");
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line.text, "b");
  EXPECT_EQ(line.number, 3U);
  EXPECT_TRUE(reader.unfinished());
  EXPECT_FALSE(reader.next(line));
}

TEST(Fields, are_one_more_than_separators) {
  EXPECT_THAT(split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(split("", ','), ElementsAre(""));
  EXPECT_EQ(trimmed(" \ta b "), "a b");
  EXPECT_EQ(trimmed("  "), "");
}

TEST(Cited, shows_no_byte_that_a_terminal_would_obey) { EXPECT_EQ(cited("a\x1b\xff"), "\"a\\x1b\\xff\""); }

TEST(CsvReader, has_empty_fields_quotes_and_line_ends_inside) {
  CsvReader reader("a,,\"b\"\"\r\n,c\"\r\n\"\",d", "file");
  std::vector<std::string> fields;
  std::size_t line = 0;
  ASSERT_TRUE(reader.next(fields, line));
  EXPECT_THAT(fields, ElementsAre("a", "", "b\"\r\n,c"));
  EXPECT_EQ(line, 1U);
  ASSERT_TRUE(reader.next(fields, line));
  EXPECT_THAT(fields, ElementsAre("", "d"));
  EXPECT_EQ(line, 3U);
  EXPECT_FALSE(reader.next(fields, line));
}

}  // namespace
}  // namespace attest::data
