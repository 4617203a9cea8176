#include "simulations/data/images/labelled_images.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/data/examples/load_examples.hpp"
#include "simulations/data/images/cifar10.hpp"
#include "tests/simulations/damage.hpp"
#include "tests/simulations/scratch_folder.hpp"
#include "tests/simulations/shared_data.hpp"

namespace attest::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// One record: the label, then constant red, green and blue planes.
std::string record(int label, int red, int green, int blue) {
  std::string bytes(1, static_cast<char>(label));
  for (const int value : {red, green, blue}) bytes += std::string(1024, static_cast<char>(value));
  return bytes;
}

std::string refusal(const std::string& bytes) {
  return message_of<MalformedData>([&] { parse_cifar10(bytes, "file.bin"); });
}

TEST(Cifar10, has_planar_records) {
  const LabelledImages images = parse_cifar10(record(9, 1, 2, 3) + record(0, 4, 5, 6), "file.bin");
  EXPECT_EQ(images.count, 2U);
  EXPECT_THAT(images.labels, ElementsAre(9, 0));
  EXPECT_EQ(images.classes.names[9], "truck");
  EXPECT_EQ(images.image(1)[0], 4);
  EXPECT_EQ(images.image(1)[1024], 5);
  EXPECT_EQ(images.image(1)[2048], 6);
  EXPECT_THROW(images.image(2), std::out_of_range);
}

TEST(Cifar10, that_is_wrong_is_refused_with_the_record) {
  EXPECT_THAT(refusal(""), HasSubstr("file.bin, record 0"));
  EXPECT_THAT(refusal(record(1, 0, 0, 0) + "x"), AllOf(HasSubstr("record 1"), HasSubstr("byte 1")));
  EXPECT_THAT(refusal(record(1, 0, 0, 0) + record(10, 0, 0, 0)), AllOf(HasSubstr("record 1"), HasSubstr("label 10")));
}

TEST(Cifar10, damaged_anyhow_is_read_or_refused) {
  EXPECT_GT(survive_damage(record(1, 7, 8, 9), "file.bin", 200,
                           [](const std::string& bytes) { parse_cifar10(bytes, "file.bin"); }),
            3000);
}

TEST(Grey, is_the_luma_of_the_three_planes) {
  const LabelledImages grey = to_grey(parse_cifar10(record(3, 255, 0, 0) + record(4, 10, 20, 30), "file.bin"));
  EXPECT_EQ(grey.channels, 1U);
  EXPECT_EQ(grey.image(0)[0], 76);  // 76.245
  EXPECT_EQ(grey.image(1)[5], 18);  // 18.15
  EXPECT_THAT(grey.labels, ElementsAre(3, 4));
}

TEST(Images, are_chosen_by_index) {
  const LabelledImages images = parse_cifar10(record(1, 1, 1, 1) + record(2, 2, 2, 2), "file.bin");
  const std::vector<std::size_t> indices = {1, 1};
  const LabelledImages chosen = select(images, indices);
  EXPECT_THAT(chosen.labels, ElementsAre(2, 2));
  EXPECT_EQ(chosen.image(1)[0], 2);
}

TEST(LabelledIdx, with_a_label_outside_the_classes_is_refused) {
  const ScratchFolder scratch;
  const auto images = scratch.write("i", std::string("\0\0\x08\x03\0\0\0\1\0\0\0\1\0\0\0\1\x2a", 17));
  const auto labels = scratch.write("l", std::string("\0\0\x08\x01\0\0\0\1\x0b", 9));
  EXPECT_THAT(message_of<MalformedData>([&] { read_labelled_idx(images, labels); }),
              AllOf(HasSubstr("record 0"), HasSubstr("label 11")));
}

TEST(Cifar10Subset, has_the_known_counts_and_moments) {
  ATTEST_NEEDS_DATA("cifar10-subset");
  const Splits<LabelledImages> splits = load_images("cifar10-subset", "");
  EXPECT_EQ(splits.train.count, 4000U);
  EXPECT_EQ(splits.test.count, 1000U);
  constexpr double of_four_decimals = 0.5e-4;
  EXPECT_NEAR(channel_moments(splits.train)[2].deviation, 0.2625, of_four_decimals);
  EXPECT_THAT(std::vector<std::int32_t>(splits.train.labels.begin(), splits.train.labels.begin() + 5),
              ElementsAre(6, 9, 9, 4, 1));
}

}  // namespace
}  // namespace attest::data
