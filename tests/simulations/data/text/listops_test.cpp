#include "simulations/data/text/listops.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/data/examples/load_examples.hpp"
#include "simulations/data/files/lines.hpp"
#include "simulations/data/text/listops_generator.hpp"
#include "tests/simulations/damage.hpp"
#include "tests/simulations/scratch_folder.hpp"
#include "tests/simulations/shared_data.hpp"

namespace attest::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(const std::string& bytes) {
  return message_of<MalformedData>([&] { parse_listops(bytes, "file.tsv"); });
}

// Small trees, so that a test is quick.
ListOpsOptions small() {
  return {.train = 400, .validation = 50, .test = 50, .deepest = 5, .most_arguments = 5, .above = 10, .below = 100};
}

TEST(ListOps, is_worth_what_its_operators_say) {
  const auto value = [](std::string_view expression) { return evaluate_listops(expression, "here").value; };
  EXPECT_EQ(value("7"), 7);
  EXPECT_EQ(value("[MIN 6 3 5 ]"), 3);
  EXPECT_EQ(value("[MAX 6 3 5 ]"), 6);
  EXPECT_EQ(value("[SM 6 5 9 0 ]"), 0);
  EXPECT_EQ(value("[MED 9 1 4 ]"), 4);
  EXPECT_EQ(value("[MED 1 4 ]"), 2);  // 2.5 rounded down
  EXPECT_EQ(value("[MAX 2 [MIN 4 7 ] 0 ]"), 4);
  EXPECT_EQ(evaluate_listops("[MAX 2 [MIN 4 7 ] 0 ]", "here").depth, 2U);
}

TEST(ListOps, is_read_in_both_layouts_without_round_brackets) {
  for (const char* bytes : {"Source\tTarget\r\n( ( ( [MAX 2 ) 9 ) ] )\t9\r\n", "9\t( ( ( [MAX 2 ) 9 ) ] )\n"}) {
    const LabelledTexts texts = parse_listops(bytes, "file.tsv");
    EXPECT_THAT(texts.texts, ElementsAre("[MAX 2 9 ]"));
    EXPECT_THAT(texts.labels, ElementsAre(9));
    EXPECT_THAT(listops_vocabulary().encode(texts.texts[0], "text"), ElementsAre(1, 7, 14, 4));
  }
}

TEST(ListOps, that_is_wrong_is_refused_with_line_and_fix) {
  const std::string header = "Source\tTarget\n";
  EXPECT_THAT(refusal(header + "[MAX 2 9 ]\t8\n"), AllOf(HasSubstr("file.tsv, line 2"), HasSubstr("worth 9")));
  EXPECT_THAT(refusal(header + "[MAX 2 9\t9\n"), HasSubstr("1 operator open"));
  EXPECT_THAT(refusal(header + "[MAX 2 9 ] ]\t9\n"), HasSubstr("follows"));
  EXPECT_THAT(refusal(header + "]\t9\n"), HasSubstr("closes nothing"));
  EXPECT_THAT(refusal(header + "[MAX ]\t9\n"), HasSubstr("no argument"));
  EXPECT_THAT(refusal(header + "[AVG 1 ]\t1\n"), HasSubstr("[AVG"));
  EXPECT_THAT(refusal(header + "[MAX 2 9 ]\n"), HasSubstr("1 field where"));
  EXPECT_THAT(refusal(header + "[MAX 2 9 ]\tNaN\n"), HasSubstr("NaN"));
  EXPECT_THAT(refusal(header), HasSubstr("no expression"));
}

TEST(ListOps, damaged_anyhow_is_read_or_refused) {
  EXPECT_GT(survive_damage("Source\tTarget\r\n( ( ( [MAX 2 ) ( ( ( [SM 9 ) 4 ) ] ) ) ] )\t3\r\n4\t4\r\n", "file.tsv",
                           1000, [](const std::string& bytes) { parse_listops(bytes, "file.tsv"); }),
            400);
}

TEST(GeneratedListOps, is_a_function_of_the_seed_whose_beginning_does_not_depend_on_its_length) {
  const auto splits = generate_listops(small(), 7);
  EXPECT_EQ(splits.train.texts, generate_listops(small(), 7).train.texts);
  EXPECT_NE(splits.train.texts, generate_listops(small(), 8).train.texts);
  ListOpsOptions fewer = small();
  fewer.train = 10;
  const auto beginning = generate_listops(fewer, 7).train.texts;
  EXPECT_TRUE(std::equal(beginning.begin(), beginning.end(), splits.train.texts.begin()));
}

TEST(GeneratedListOps, keeps_the_grammar_the_ranges_and_distinct_splits) {
  const auto splits = generate_listops(small(), 1);
  std::set<std::string> seen;
  for (const LabelledTexts* part : {&splits.train, &splits.validation, &splits.test}) {
    for (std::size_t i = 0; i < part->count(); ++i) {
      const std::string& text = part->texts[i];
      EXPECT_TRUE(seen.insert(text).second);
      const std::size_t length = split(text, ' ').size();
      EXPECT_GT(length, 10U);
      EXPECT_LT(length, 100U);
      const ListOpsValue value = evaluate_listops(text, "generated");
      EXPECT_EQ(value.value, part->labels[i]);
      EXPECT_LE(value.depth, 4U);  // the fifth level holds digits
    }
  }
  EXPECT_EQ(seen.size(), 500U);
}

TEST(GeneratedListOps, of_an_empty_range_is_refused) {
  ListOpsOptions options = small();
  options.above = 99;
  EXPECT_THROW(generate_listops(options, 1), std::invalid_argument);
  options = {.train = 1, .validation = 0, .test = 0, .deepest = 1, .above = 10, .below = 20};
  EXPECT_THROW(generate_listops(options, 1), std::invalid_argument);
}

double mean_length(const LabelledTexts& texts) {
  double sum = 0;
  for (const std::string& text : texts.texts) sum += static_cast<double>(split(text, ' ').size());
  return sum / static_cast<double>(texts.count());
}

TEST(GeneratedListOps, has_the_statistics_of_the_arenas_own_generator) {
  ATTEST_NEEDS_DATA("listops-sample");
  const LabelledTexts published = load_texts("listops-sample", "").train;
  const LabelledTexts ours = generate_listops({.train = 600, .validation = 0, .test = 0}, 1).train;
  // Lengths lie in (500, 2000), so a mean of 600 has a standard error below 1500 / 2 / sqrt(600) = 31, and the
  // difference of two below 44; five of those.
  EXPECT_LT(std::abs(mean_length(ours) - mean_length(published)), 5 * 44);
  const auto a = count_labels(ours.labels, 10);
  const auto b = count_labels(published.labels, 10);
  for (std::size_t label = 0; label < 10; ++label) {
    // A count of 600 has a standard deviation below sqrt(600 / 4) = 12.3, the difference of two below 17.4.
    EXPECT_LT(std::abs(a[label] - b[label]), 5 * 17.4) << label;
  }
}

TEST(OriginalListOps, agrees_with_its_labels_10000_times) {
  ATTEST_NEEDS_DATA("listops-original");
  EXPECT_EQ(load_texts("listops-original", "").test.count(), 10000U);
}

}  // namespace
}  // namespace attest::data
