#include "reports/text/csv_field.hpp"

#include <gtest/gtest.h>

namespace attest::reports {
namespace {

TEST(CsvField, is_in_quotes_only_where_it_must_be) {
  EXPECT_EQ(csv_field("softmax"), "softmax");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("a, b"), "\"a, b\"");
  EXPECT_EQ(csv_field("the \"best\""), "\"the \"\"best\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_quoted("softmax"), "\"softmax\"");
}

TEST(CsvField, is_not_a_formula_of_a_spreadsheet) {
  EXPECT_EQ(csv_field("=1+1"), "'=1+1");
  EXPECT_EQ(csv_field("@a,b"), "\"'@a,b\"");
  EXPECT_EQ(csv_quoted("-x"), "\"'-x\"");
  EXPECT_EQ(csv_field("a=1"), "a=1");
}

}  // namespace
}  // namespace attest::reports
