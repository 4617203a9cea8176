#include "simulations/data/text/labelled_texts.hpp"

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

const std::string reviews =
    "label,text,is_valid\r\nnegative,\"Bad, \"\"very\"\"\nbad\",False\r\npositive,fine,True\r\npositive,good,False\r\n";

std::string sst2_refusal(const std::string& bytes) {
  return message_of<MalformedData>([&] { parse_sst2(bytes, "file.tsv"); });
}

std::string imdb_refusal(const std::string& rows) {
  return message_of<MalformedData>([&] { parse_imdb_csv("label,text,is_valid\n" + rows, "file.csv"); });
}

TEST(Sst2, has_the_label_in_either_column) {
  for (const char* bytes :
       {"sentence\tlabel\nof saucy \t1\nno wit\t0\n", "label\tsentence\r\n1\tof saucy\r\n0\tno wit\r\n",
        "label\tcontent\n1\tof saucy\n0\tno wit"}) {
    const LabelledTexts texts = parse_sst2(bytes, "file.tsv");
    EXPECT_THAT(texts.texts, ElementsAre("of saucy", "no wit"));
    EXPECT_THAT(texts.labels, ElementsAre(1, 0));
  }
}

TEST(Sst2, that_is_wrong_is_refused_with_line_and_fix) {
  const std::string header = "sentence\tlabel\n";
  EXPECT_THAT(sst2_refusal("index\tsentence\n"), AllOf(HasSubstr("line 1"), HasSubstr("index")));
  EXPECT_THAT(sst2_refusal(header + "a\t1\nb\n"), AllOf(HasSubstr("file.tsv, line 3"), HasSubstr("fetch it again")));
  EXPECT_THAT(sst2_refusal(header + "a\t2\n"), AllOf(HasSubstr("line 2"), HasSubstr("\"2\"")));
  EXPECT_THAT(sst2_refusal(header + " \t1\n"), HasSubstr("empty"));
  EXPECT_THAT(sst2_refusal(header), HasSubstr("no sentence"));
  EXPECT_THAT(sst2_refusal(header + "\xff\t1\n"), HasSubstr("UTF-8"));
}

TEST(Sst2, damaged_anyhow_is_read_or_refused) {
  survive_damage("sentence\tlabel\nof saucy \t1\nno wit\t0\n", "file.tsv", 1000,
                 [](const std::string& bytes) { parse_sst2(bytes, "file.tsv"); });
}

TEST(ImdbCsv, has_quotations_over_lines_and_two_parts) {
  const Splits<LabelledTexts> splits = parse_imdb_csv(reviews, "file.csv");
  EXPECT_THAT(splits.train.texts, ElementsAre("Bad, \"very\"\nbad", "good"));
  EXPECT_THAT(splits.train.labels, ElementsAre(0, 1));
  EXPECT_THAT(splits.validation.texts, ElementsAre("fine"));
  EXPECT_EQ(splits.test.count(), 0U);
}

TEST(ImdbCsv, that_is_wrong_is_refused_with_line_and_fix) {
  EXPECT_THAT(imdb_refusal("negative,\"a\nb\",False\nneutral,c,False\n"),
              AllOf(HasSubstr("file.csv, line 4"), HasSubstr("neutral")));
  EXPECT_THAT(imdb_refusal("negative,\"a\n"), AllOf(HasSubstr("line 2"), HasSubstr("no end")));
  EXPECT_THAT(imdb_refusal("negative,\"a\"b,False\n"), HasSubstr("closing quote"));
  EXPECT_THAT(imdb_refusal("negative,a\"b,False\n"), HasSubstr("inside a field"));
  EXPECT_THAT(imdb_refusal("negative,a\n"), HasSubstr("2 fields"));
  EXPECT_THAT(imdb_refusal("negative,a,Maybe\n"), HasSubstr("Maybe"));
  EXPECT_THAT(imdb_refusal("negative,a,True\n"), HasSubstr("no review to train on"));
  EXPECT_THAT(message_of<MalformedData>([] { parse_imdb_csv("a,b\n", "file.csv"); }), HasSubstr("line 1"));
}

TEST(ImdbCsv, damaged_anyhow_is_read_or_refused) {
  EXPECT_GT(
      survive_damage(reviews, "file.csv", 1000, [](const std::string& bytes) { parse_imdb_csv(bytes, "file.csv"); }),
      300);
}

TEST(ImdbFolder, has_one_review_a_file_negative_first) {
  const ScratchFolder scratch;
  scratch.write("aclImdb/train/pos/1_9.txt", "good");
  scratch.write("aclImdb/train/neg/0_2.txt", "bad");
  scratch.write("aclImdb/test/pos/0_9.txt", "fine");
  scratch.write("aclImdb/test/neg/0_1.txt", "awful");
  const Splits<LabelledTexts> splits = load_texts("imdb", scratch.path());
  EXPECT_THAT(splits.train.texts, ElementsAre("bad", "good"));
  EXPECT_THAT(splits.train.labels, ElementsAre(0, 1));
  EXPECT_THAT(load_texts((scratch.path() / "aclImdb").string(), "").test.texts, ElementsAre("awful", "fine"));
  scratch.write("aclImdb/train/pos/2_9.txt", "");
  EXPECT_THAT(message_of<MalformedData>([&] { load_texts("imdb", scratch.path()); }), HasSubstr("2_9.txt"));
}

TEST(Sst2, has_glues_counts) {
  ATTEST_NEEDS_DATA("sst2");
  const Splits<LabelledTexts> splits = load_texts("sst2", "");
  EXPECT_EQ(splits.train.count(), 67349U);
  EXPECT_THAT(count_labels(splits.train.labels, 2), ElementsAre(29780, 37569));
  EXPECT_THAT(count_labels(splits.validation.labels, 2), ElementsAre(428, 444));
}

TEST(ImdbSample, has_800_and_200_reviews) {
  ATTEST_NEEDS_DATA("imdb-sample");
  const Splits<LabelledTexts> splits = load_texts("imdb-sample", "");
  EXPECT_THAT(count_labels(splits.train.labels, 2), ElementsAre(417, 383));
  EXPECT_THAT(count_labels(splits.validation.labels, 2), ElementsAre(107, 93));
}

}  // namespace
}  // namespace attest::data
