#include "simulations/data/examples/describe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/simulations/scratch_folder.hpp"

namespace attest::data {
namespace {

using testing::HasSubstr;

TEST(ListData, names_every_set_and_whether_it_is_there) {
  const ScratchFolder scratch;
  scratch.write("tinyshakespeare/input.txt", "To be");
  const nlohmann::json list = list_data(scratch.path());
  bool seen = false;
  for (const auto& entry : list) {
    EXPECT_TRUE(entry.at("available").is_boolean());
    if (entry.at("name") == "tinyshakespeare") seen = entry.at("available").get<bool>();
  }
  EXPECT_TRUE(seen);
  EXPECT_THAT(list_lines(list), HasSubstr("fashion-mnist"));
}

TEST(DescribeData, counts_images_labels_and_pixels) {
  const ScratchFolder scratch;
  // Two images of 1 x 2 pixels: 0 255 and 255 0; labels 3 and 3.
  scratch.write("mnist/t10k-images-idx3-ubyte", std::string("\0\0\x08\x03\0\0\0\2\0\0\0\1\0\0\0\2\0\xff\xff\0", 20));
  scratch.write("mnist/t10k-labels-idx1-ubyte", std::string("\0\0\x08\x01\0\0\0\2\3\3", 10));
  const nlohmann::json description = describe_data("mnist", scratch.path());
  const nlohmann::json& part = description.at("parts").at(0);
  EXPECT_EQ(part.at("images"), 2);
  EXPECT_EQ(part.at("columns"), 2);
  EXPECT_DOUBLE_EQ(part.at("pixel_mean").get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(part.at("pixel_deviation").get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(part.at("blank_share").get<double>(), 0.5);
  EXPECT_EQ(part.at("labels").dump(), R"([{"images":2,"label":3}])");
  EXPECT_THAT(describe_lines(description), HasSubstr("2 images of 1 x 2 pixels"));
}

TEST(DescribeData, counts_the_words_of_a_file) {
  const ScratchFolder scratch;
  const nlohmann::json description = describe_data(scratch.write("a.txt", "To be, or not to be.\n"), scratch.path());
  const nlohmann::json& part = description.at("parts").at(0);
  EXPECT_EQ(part.at("bytes"), 21);
  EXPECT_EQ(part.at("lines"), 1);
  EXPECT_EQ(part.at("words"), 6);
  EXPECT_EQ(part.at("distinct_words"), 4);
  EXPECT_EQ(part.at("most_frequent").at(0).at("word"), "be");
  EXPECT_THAT(describe_lines(description), HasSubstr("4 distinct"));
}

TEST(DescribeData, groups_the_digits_of_counts_for_people_and_not_for_programs) {
  const ScratchFolder scratch;
  std::string text;
  for (int i = 0; i < 12000; ++i) text += "be\n";
  const nlohmann::json description = describe_data(scratch.write("a.txt", text), scratch.path());
  EXPECT_THAT(describe_lines(description), HasSubstr("12\u202f000 words, 1 distinct; most frequent: be (12\u202f000)"));
  EXPECT_THAT(description.dump(), HasSubstr("\"words\":12000"));
}

}  // namespace
}  // namespace attest::data
