#include "simulations/data/series/csv_series.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/data/examples/load_examples.hpp"
#include "simulations/data/files/malformed_data.hpp"
#include "tests/simulations/damage.hpp"
#include "tests/simulations/scratch_folder.hpp"

namespace attest::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string complaint(const std::string& text) {
  return message_of<MalformedData>([&] { parse_series_csv(text, "s.csv"); });
}

const std::string rows = "series,time,x,y,label\na,1,10,20,9\nb,0,1,2,10\na,0,5,,9\nb,2.5,3,4,10\nb,1,NaN,6,10\n";

TEST(SeriesCsv, with_a_row_a_step_is_put_in_the_order_of_time) {
  const SeriesSet found = parse_series_csv(rows, "s.csv").train;
  EXPECT_EQ(found.dimensions, 2U);
  EXPECT_THAT(found.lengths, ElementsAre(2, 3));
  EXPECT_THAT(found.values, ElementsAre(5, 0, 10, 20, 1, 2, 0, 6, 3, 4));
  EXPECT_THAT(found.observed, ElementsAre(1, 0, 1, 1, 1, 1, 0, 1, 1, 1));
  EXPECT_THAT(found.classes.names, ElementsAre("9", "10"));  // by number, not by name
  EXPECT_THAT(found.labels, ElementsAre(0, 1));
}

TEST(SeriesCsv, with_a_row_a_series_may_have_channels_parts_and_ends) {
  const auto found =
      parse_series_csv("part,label,x_1,x_2,y_2,y_1\ntrain,no,1,2,4,3\ntest,yes,5,,,6\nvalid,no,7,8,9,10\n", "s.csv");
  EXPECT_THAT(found.train.values, ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(found.test.values, ElementsAre(5, 6));
  EXPECT_THAT(found.test.lengths, ElementsAre(1));
  EXPECT_THAT(found.test.labels, ElementsAre(1));
  EXPECT_EQ(found.validation.count(), 1U);
}

TEST(SeriesCsv, may_have_targets_instead_of_classes) {
  const SeriesSet found = parse_series_csv("target,0,1\n0.5,1,2\n-2,3,4\n", "s.csv").train;
  EXPECT_TRUE(found.is_regression());
  EXPECT_THAT(found.targets, ElementsAre(0.5, -2));
  EXPECT_EQ(found.dimensions, 1U);
}

TEST(SeriesCsv, is_known_by_its_header) {
  const ScratchFolder folder;
  const auto file = folder.write("s.csv", rows);
  EXPECT_EQ(format_of(file), DataFormat::series_csv);
  EXPECT_EQ(load_series(file.string(), {}).train.count(), 2U);
}

TEST(SeriesCsv, survives_damage) {
  EXPECT_GT(survive_damage(rows, "s.csv", 300, [](const std::string& bytes) { parse_series_csv(bytes, "s.csv"); }), 50);
}

TEST(SeriesCsv, says_where_a_table_is_wrong) {
  EXPECT_THAT(complaint("series,time,x\n"), HasSubstr("s.csv, line 1: give one of the columns label"));
  EXPECT_THAT(complaint("time,x,label\n1,2,3\n"), HasSubstr("give the other column too"));
  EXPECT_THAT(complaint("label,0,0\n1,2,3\n"), HasSubstr("column \"0\" occurs twice"));
  EXPECT_THAT(complaint("label,0,height\n1,2,3\n"), HasSubstr("column \"height\" is not a step"));
  EXPECT_THAT(complaint("label,x_0,x_2\n1,2,3\n"), HasSubstr("channel \"x\" has 2 steps up to 2"));
  EXPECT_THAT(complaint("label,0,1\n1,2\n"), HasSubstr("line 2: 2 cells where the header has 3"));
  EXPECT_THAT(complaint("label,0,1\n1,2,two\n"), HasSubstr("line 2: column \"1\" is \"two\", no finite number"));
  EXPECT_THAT(complaint("label,0,1\n1,,\n"), HasSubstr("line 2: the series has no value"));
  EXPECT_THAT(complaint("label,0,1\n"), HasSubstr("holds no series"));
  EXPECT_THAT(complaint("target,0,1\nlow,1,2\n"), HasSubstr("target is \"low\", no finite number"));
  EXPECT_THAT(complaint("part,label,0\ndev,1,2\n"), HasSubstr("part is \"dev\" where train"));
  EXPECT_THAT(complaint("part,label,0\ntest,1,2\n"), HasSubstr("has no series whose part is train"));
  EXPECT_THAT(complaint("series,time,x,label\na,0,1,p\na,0,2,p\n"), HasSubstr("line 3: series \"a\" has time 0 twice"));
  EXPECT_THAT(complaint("series,time,x,label\na,0,1,p\na,1,2,q\n"), HasSubstr("has another label, target or part"));
  EXPECT_THAT(complaint("series,time,x,label\na,soon,1,p\n"), HasSubstr("time is \"soon\", no finite number"));
}

}  // namespace
}  // namespace attest::data
