#include "simulations/outcomes/losses_table.hpp"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::outcomes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LossesTable read(const std::string& content, const std::vector<std::string>& wanted = {}) {
  return read_losses(content, "l.csv", wanted);
}

void refuses(const std::string& content, const std::string& words, const std::vector<std::string>& wanted = {}) {
  try {
    read(content, wanted);
    ADD_FAILURE() << "read: " << content;
  } catch (const std::invalid_argument& failure) {
    EXPECT_THAT(failure.what(), HasSubstr(words));
  }
}

TEST(LossesTable, pairs_runs_by_seed_whatever_the_order_of_rows_and_columns) {
  const LossesTable table = read("seed,loss,variant\n10,3,b\n9,1,a\n10,2,a\n9,4,b\n");
  EXPECT_THAT(table.variants, ElementsAre("b", "a"));
  EXPECT_THAT(table.seeds, ElementsAre("9", "10")) << "by value, not as text";
  EXPECT_THAT(table.values.at("loss").at("a"), ElementsAre(1, 2));
  EXPECT_THAT(table.values.at("loss").at("b"), ElementsAre(4, 3));
}

TEST(LossesTable, reads_quotes_carriage_returns_marks_and_blank_lines) {
  const LossesTable table = read("\xEF\xBB\xBFvariant,seed,loss\r\n\"a, \"\"big\"\"\",x,1e-3\r\n\r\nb , x, +2\r\n");
  EXPECT_THAT(table.variants, ElementsAre("a, \"big\"", "b"));
  EXPECT_THAT(table.values.at("loss").at("b"), ElementsAre(2));
}

TEST(LossesTable, leaves_columns_alone_that_nobody_asks_for) {
  const LossesTable table = read("variant,seed,loss,host\na,1,1,here\nb,1,2,there\n", {"loss"});
  EXPECT_THAT(table.metrics, ElementsAre("loss", "host"));
  EXPECT_EQ(table.values.size(), 1U);
}

TEST(LossesTable, names_line_and_column_of_what_cannot_be_compared) {
  refuses("", "l.csv is empty");
  refuses("variant,seed,loss\na,1,1\nm\xfcller,1,1\n", "l.csv is not UTF-8 text: byte 0xfc at line 3");
  refuses(std::string("variant,seed,loss\na\0b,1,1\nc,1,1\n", 33), "l.csv is not UTF-8 text: byte 0x00 at line 2");
  refuses("variant;seed;loss\na;1;1\n", "l.csv, line 1: its columns are separated by ';'; separate them by commas");
  refuses("variant\tseed\tloss\na\t1\t1\n", "line 1: its columns are separated by tabs");
  refuses("variant,loss\na,1\n", "l.csv, line 1: there is no column seed");
  refuses("variant,seed\na,1\n", "line 1: there is no metric");
  refuses("variant,seed,loss,loss\n", "line 1: column 4 is called loss like one before it");
  refuses("variant,seed,,loss\n", "line 1: column 3 has no name");
  refuses("variant,seed,loss\na,1,1\na,1,2\nb,1,1\n",
          "line 3: column 2 (seed): variant a has seed 1 already in line 2; remove one of them");
  refuses("variant,seed,loss\na,1,1\nb,1,1\na,2,1\n", "line 4: column 2 (seed): a has seed 2, and b does not");
  refuses("variant,seed,loss\na,1,nan\nb,1,1\n", "line 2: column 3 (loss) holds \"nan\", which is not a finite number");
  refuses("variant,seed,loss\na,1,\"0,5\"\nb,1,1\n", "which is not a finite number; write 0.5, with a decimal point");
  refuses("variant,seed,loss\na,1,\nb,1,1\n", "line 2: column 3 (loss) holds \"\"");
  refuses("variant,seed,loss\na,1,1 2\nb,1,1\n", "line 2: column 3 (loss) holds \"1 2\"");
  refuses("variant,seed,loss\na,1\nb,1,1\n", "line 2: 2 fields under a header of 3");
  refuses("variant,seed,loss\n,1,1\nb,1,1\n", "line 2: column 1 (variant) is empty");
  refuses("variant,seed,loss\na,1,1\na,2,1\n", "l.csv has 1 variant: give at least two");
  refuses("variant,seed,loss\n\"a,1,1\nb,1,1\n", "line 2: a quotation mark is not closed");
  refuses("variant,seed,loss\na,1,1\nb,1,1\n", "no column is called accuracy; there is only loss", {"accuracy"});
}

}  // namespace
}  // namespace attest::outcomes
