#include "simulations/data/series/ts_file.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/data/examples/load_examples.hpp"
#include "tests/simulations/damage.hpp"
#include "tests/simulations/scratch_folder.hpp"
#include "tests/simulations/shared_data.hpp"

namespace attest::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string unequal =
    "# comment\r\n@problemName Small\r\n@timeStamps false\r\n@missing true\r\n@univariate false\r\n"
    "@dimensions 2\r\n@equalLength false\r\n@classLabel true walk run\r\n@data\r\n"
    "1,2,3:4,?,6:run\r\n-1.5e2:NaN:walk\r\n";

std::string header(const std::string& rest) { return "@problemName p\n@equalLength true\n" + rest + "\n@data\n"; }

std::string refusal(const std::string& bytes) {
  return message_of<MalformedData>([&] { parse_ts(bytes, "file.ts"); });
}

TEST(TsFile, has_series_of_unequal_length_with_missing_values) {
  const SeriesSet set = parse_ts(unequal, "file.ts");
  EXPECT_EQ(set.problem, "Small");
  EXPECT_EQ(set.dimensions, 2U);
  EXPECT_THAT(set.lengths, ElementsAre(3, 1));
  EXPECT_THAT(set.starts, ElementsAre(0, 6));
  EXPECT_THAT(set.values, ElementsAre(1, 4, 2, 0, 3, 6, -150, 0));
  EXPECT_THAT(set.observed, ElementsAre(1, 1, 1, 0, 1, 1, 1, 0));
  EXPECT_THAT(set.labels, ElementsAre(1, 0));
  EXPECT_FALSE(set.is_regression());
}

TEST(TsFile, gives_the_examples_asked_for_in_their_order) {
  const SeriesSet set = parse_ts(unequal, "file.ts");
  const std::vector<std::size_t> order = {1, 0};
  EXPECT_THAT(select(set, order).values, ElementsAre(-150, 0, 1, 4, 2, 0, 3, 6));
}

TEST(TsFile, has_real_targets_for_regression) {
  for (const char* key : {"@targetLabel true", "@classLabel false"}) {
    const SeriesSet set = parse_ts(header(key) + "1,2:3.5\n3,4:-1\n", "file.ts");
    EXPECT_TRUE(set.is_regression());
    EXPECT_THAT(set.targets, ElementsAre(3.5, -1));
  }
}

TEST(TsFile, normalises_by_the_observed_values) {
  const std::vector<DimensionMoments> moments = dimension_moments(parse_ts(unequal, "file.ts"));
  EXPECT_DOUBLE_EQ(moments[0].mean, -36);
  EXPECT_DOUBLE_EQ(moments[1].mean, 5);
  EXPECT_DOUBLE_EQ(moments[1].deviation, 1);
}

TEST(TsFile, that_is_wrong_is_refused_with_line_and_fix) {
  const std::string two = header("@classLabel true a b");  // data from line 5
  EXPECT_THAT(refusal(two + "1,2:c\n"), AllOf(HasSubstr("file.ts, line 5"), HasSubstr("\"c\""), HasSubstr("fix")));
  EXPECT_THAT(refusal(two + "1,NaN:a\n"), AllOf(HasSubstr("line 5"), HasSubstr("value 2"), HasSubstr("NaN")));
  EXPECT_THAT(refusal(two + "1,inf:a\n"), AllOf(HasSubstr("value 2"), HasSubstr("finite")));
  EXPECT_THAT(refusal(two + "1,2x:a\n"), HasSubstr("2x"));
  EXPECT_THAT(refusal(two + "1,2:a\n1,2,3:b\n"), AllOf(HasSubstr("line 6"), HasSubstr("asks for 2")));
  EXPECT_THAT(refusal(two + "1,2:3,4:a\n1,2:a\n"), AllOf(HasSubstr("line 6"), HasSubstr("cut")));
  EXPECT_THAT(refusal(two), HasSubstr("no series"));
  EXPECT_THAT(refusal(header("@targetLabel true") + "1,2:nan\n"), HasSubstr("target"));
  EXPECT_THAT(refusal("@problemName p\n"), HasSubstr("truncated"));
  EXPECT_THAT(refusal("@frob 1\n@data\n"), HasSubstr("@frob"));
  EXPECT_THAT(refusal("@timeStamps true\n@data\n"), HasSubstr("timestamps"));
  EXPECT_THAT(refusal(header("@missing maybe\n@classLabel true a")), HasSubstr("maybe"));
  EXPECT_THAT(refusal(header("@problemName q")), HasSubstr("twice"));
  EXPECT_THAT(refusal(header("@dimensions 0")), HasSubstr("at least 1"));
  EXPECT_THAT(refusal(header("@missing false")), HasSubstr("@classLabel or @targetLabel"));
}

TEST(TsFile, damaged_anyhow_is_read_or_refused) {
  EXPECT_GT(survive_damage(unequal, "file.ts", 2000, [](const std::string& bytes) { parse_ts(bytes, "file.ts"); }),
            500);
}

TEST(TsPair, of_other_classes_is_refused) {
  const ScratchFolder scratch;
  const auto train = scratch.write("p/p_TRAIN.ts", header("@classLabel true a b") + "1:a\n");
  const auto test = scratch.write("p/p_TEST.ts", header("@classLabel true a c") + "1:a\n");
  EXPECT_THAT(message_of<MalformedData>([&] { load_series((scratch.path() / "p").string(), ""); }),
              HasSubstr("p_TEST.ts"));
}

TEST(JapaneseVowels, has_270_and_370_utterances_of_7_to_29_steps) {
  ATTEST_NEEDS_DATA("JapaneseVowels");
  const Splits<SeriesSet> splits = load_series("JapaneseVowels", "");
  EXPECT_EQ(splits.train.count(), 270U);
  EXPECT_EQ(splits.test.count(), 370U);
  EXPECT_EQ(splits.train.longest(), 26U);
  EXPECT_EQ(splits.test.longest(), 29U);
  EXPECT_EQ(splits.train.dimensions, 12U);
  EXPECT_EQ(splits.train.classes.names.size(), 9U);
}

TEST(Tecator, has_172_and_43_spectra_and_their_fat) {
  ATTEST_NEEDS_DATA("Tecator");
  const Splits<SeriesSet> splits = load_series("Tecator", "");
  EXPECT_EQ(splits.train.count(), 172U);
  EXPECT_EQ(splits.test.count(), 43U);
  EXPECT_TRUE(splits.train.is_regression());
  EXPECT_DOUBLE_EQ(*std::max_element(splits.train.targets.begin(), splits.train.targets.end()), 49.1);
}

}  // namespace
}  // namespace attest::data
