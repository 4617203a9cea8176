#include "simulations/data/images/idx.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulations/scratch_folder.hpp"

namespace attest::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string word(std::uint32_t value) {
  return {static_cast<char>(value >> 24U), static_cast<char>(value >> 16U), static_cast<char>(value >> 8U),
          static_cast<char>(value)};
}

// Two images of 2 x 3 pixels, 0..11.
std::string two_images() {
  std::string bytes = word(0x803) + word(2) + word(2) + word(3);
  for (char pixel = 0; pixel < 12; ++pixel) bytes += pixel;
  return bytes;
}

std::string refusal(const std::string& bytes) {
  return message_of<std::runtime_error>([&] { parse_idx_images(bytes, "file"); });
}

TEST(IdxImages, are_read_plain_and_compressed) {
  const ScratchFolder scratch;
  for (const auto& file : {scratch.write("plain", two_images()), scratch.write_gzip("packed.gz", two_images())}) {
    const IdxImages images = read_idx_images(file);
    EXPECT_EQ(images.count, 2U);
    EXPECT_EQ(images.rows, 2U);
    EXPECT_EQ(images.columns, 3U);
    EXPECT_THAT(images.image(0), ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(images.image(1), ElementsAre(6, 7, 8, 9, 10, 11));
    EXPECT_THROW(images.image(2), std::out_of_range);
  }
}

TEST(IdxImages, cut_anywhere_are_refused_with_the_offset) {
  const std::string whole = two_images();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(refusal(whole.substr(0, length)),
                AllOf(HasSubstr("file is truncated"), HasSubstr("offset " + std::to_string(length))));
  }
}

TEST(IdxImages, with_bytes_left_over_are_refused) {
  EXPECT_THAT(refusal(two_images() + "x"), HasSubstr("left over at offset 28"));
}

TEST(IdxImages, of_another_magic_are_refused) {
  EXPECT_THAT(refusal(word(0x801) + word(1) + "x"), HasSubstr("0x00000801"));  // labels
  EXPECT_THAT(refusal(word(0xd03) + word(1)), HasSubstr("0x00000d03"));        // floats
  EXPECT_FALSE(is_idx_images("text"));
  EXPECT_FALSE(is_idx_images(""));
  EXPECT_TRUE(is_idx_images(two_images()));
}

TEST(IdxImages, of_impossible_sizes_are_refused) {
  EXPECT_THAT(refusal(word(0x803) + word(0) + word(2) + word(3)),
              AllOf(HasSubstr("dimension 1"), HasSubstr("offset 4")));
  // The product of these sizes is 2^96, which wraps around to 0 in 64 bits.
  const std::string huge = word(0x803) + word(0x80000000U) + word(0x80000000U) + word(0x80000000U);
  EXPECT_THAT(refusal(huge), HasSubstr("truncated"));
  EXPECT_THAT(refusal(huge + std::string(64, 'x')), HasSubstr("truncated"));
}

TEST(IdxLabels, are_read_and_must_match_the_images) {
  const ScratchFolder scratch;
  const auto file = scratch.write("labels", word(0x801) + word(3) + std::string("\x07\x00\x09", 3));
  EXPECT_THAT(read_idx_labels(file, 3), ElementsAre(7, 0, 9));
  EXPECT_THAT(message_of<std::runtime_error>([&] { read_idx_labels(file, 4); }),
              AllOf(HasSubstr("3 labels"), HasSubstr("4 images")));
}

}  // namespace
}  // namespace attest::data
