#include "simulations/data/examples/load_examples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "simulations/data/examples/describe_examples.hpp"
#include "simulations/data/files/malformed_data.hpp"
#include "tests/simulations/scratch_folder.hpp"

namespace attest::data {
namespace {

using testing::HasSubstr;

TEST(FormatOf, is_known_by_name_and_beginning) {
  const ScratchFolder scratch;
  EXPECT_EQ(format_of(scratch.write("a.ts", "")), DataFormat::series);
  EXPECT_EQ(format_of(scratch.write("a.bin", "")), DataFormat::cifar10);
  EXPECT_EQ(format_of(scratch.write("a.tsv", "Source\tTarget\r\n")), DataFormat::listops);
  EXPECT_EQ(format_of(scratch.write("b.tsv", "3\t( [MAX 3 ] )\n")), DataFormat::listops);
  EXPECT_EQ(format_of(scratch.write("c.tsv", "label\tsentence\n")), DataFormat::sst2);
  EXPECT_EQ(format_of(scratch.write("c.csv", "label,text,is_valid\n")), DataFormat::imdb_csv);
  EXPECT_EQ(format_of(scratch.write("d.txt", "words")), DataFormat::text);
  EXPECT_THAT(message_of<MalformedData>([&] { format_of(scratch.write("e.csv", "x,y\n")); }), HasSubstr("e.csv"));
}

TEST(LoadExamples, leaves_out_glues_test_part_without_labels) {
  const ScratchFolder scratch;
  scratch.write("SST-2/train.tsv", "sentence\tlabel\ngood\t1\n");
  scratch.write("SST-2/dev.tsv", "sentence\tlabel\nbad\t0\n");
  scratch.write("SST-2/test.tsv", "index\tsentence\n0\tfine\n");
  const Splits<LabelledTexts> splits = load_texts("sst2", scratch.path());
  EXPECT_EQ(splits.train.count(), 1U);
  EXPECT_EQ(splits.validation.count(), 1U);
  EXPECT_EQ(splits.test.count(), 0U);
}

TEST(LoadExamples, of_another_kind_is_refused) {
  const ScratchFolder scratch;
  const auto series = scratch.write("a.ts", "@classLabel true a\n@data\n1:a\n");
  EXPECT_THAT(message_of<std::invalid_argument>([&] { load_images(series.string(), ""); }), HasSubstr("a.ts"));
  scratch.write("tinyshakespeare/input.txt", "First Citizen:\nBefore we proceed any further, hear me speak.\n");
  EXPECT_THAT(message_of<std::invalid_argument>([&] { load_examples("tinyshakespeare", scratch.path().string()); }),
              HasSubstr("running text"));
  EXPECT_THROW(load_examples("no-such-set", ""), MissingData);
}

TEST(DescribeExamples, counts_series_and_labels) {
  const ScratchFolder scratch;
  const auto file = scratch.write("a.ts", "@missing true\n@classLabel true a b\n@data\n1,?:a\n2:b\n3:b\n");
  const nlohmann::json parts = describe_examples(load_examples(file.string(), ""));
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].at("series"), 3);
  EXPECT_EQ(parts[0].at("longest"), 2);
  EXPECT_EQ(parts[0].at("missing"), 1);
  EXPECT_EQ(parts[0].at("labels").dump(), R"([{"count":1,"label":"a"},{"count":2,"label":"b"}])");
  EXPECT_THAT(example_lines(parts), HasSubstr("3 series of 1 dimension, 1 to 2 steps"));
}

}  // namespace
}  // namespace attest::data
