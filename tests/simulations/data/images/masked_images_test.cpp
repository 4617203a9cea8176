#include "simulations/data/images/masked_images.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/data/examples/load_masked.hpp"
#include "simulations/data/files/malformed_data.hpp"
#include "tests/simulations/data/images/png_bytes.hpp"
#include "tests/simulations/scratch_folder.hpp"

namespace attest::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string complaint(const ScratchFolder& folder) {
  return message_of<MalformedData>(
      [&] { read_masked_folder(folder.path() / "images", folder.path() / "annotations", MaskNumbers::from_zero, 2); });
}

TEST(MaskedFolder, shrinks_images_by_means_and_masks_by_their_nearest_pixel) {
  const ScratchFolder folder;
  // 4 x 4 to 2 x 2: means over 2 x 2 boxes.
  folder.write("images/a.png", png_of(4, 4, false, {0, 2, 8, 8, 4, 6, 8, 8, 1, 1, 0, 0, 1, 1, 0, 255}));
  folder.write("annotations/a.png", png_of(4, 4, false, {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 255, 255, 2, 2, 255, 255}));
  const MaskedImages found =
      read_masked_folder(folder.path() / "images", folder.path() / "annotations", MaskNumbers::from_zero, 2);
  EXPECT_EQ(found.count(), 1U);
  EXPECT_EQ(found.images.classes.names.size(), 3U);
  EXPECT_THAT(found.images.image(0), ElementsAre(3, 8, 1, 64, 3, 8, 1, 64, 3, 8, 1, 64));
  EXPECT_THAT(found.mask(0), ElementsAre(0, 1, 2, unlabelled));
}

TEST(MaskedFolder, cuts_the_middle_out_and_knows_ade20k_numbers) {
  const ScratchFolder folder;
  // 2 x 4: the middle two columns.
  folder.write("images/b.png", png_of(2, 4, false, {9, 10, 20, 9, 9, 30, 40, 9}));
  folder.write("annotations/b.png", png_of(2, 4, false, {7, 0, 1, 7, 7, 2, 3, 7}));
  const MaskedImages found = read_masked_folder(folder.path() / "images", folder.path() / "annotations",
                                                MaskNumbers::from_one_zero_is_none, 2);
  EXPECT_THAT(found.images.image(0).first(4), ElementsAre(10, 20, 30, 40));
  EXPECT_THAT(found.mask(0), ElementsAre(unlabelled, 0, 1, 2));
}

TEST(MaskedFolder, says_what_is_wrong) {
  const ScratchFolder folder;
  EXPECT_THAT(complaint(folder), HasSubstr("images: holds no image (.jpg, .png)"));
  folder.write("images/a.png", png_of(2, 2, false, {0, 1, 2, 3}));
  EXPECT_THAT(complaint(folder), HasSubstr("annotations/a.png: is missing; every image wants its mask"));
  folder.write("annotations/a.png", png_of(2, 2, true, std::vector<std::uint8_t>(12)));
  EXPECT_THAT(complaint(folder), HasSubstr("is a colour image; masks are grey"));
  folder.write("annotations/a.png", png_of(2, 3, false, std::vector<std::uint8_t>(6)));
  EXPECT_THAT(complaint(folder), HasSubstr("has 2 x 3 pixels and its image 2 x 2"));
  folder.write("annotations/a.png", png_of(2, 2, false, std::vector<std::uint8_t>(4, 255)));
  EXPECT_THAT(complaint(folder), HasSubstr("annotations: no pixel has a class"));
}

TEST(LoadMasked, finds_the_parts_of_a_folder_and_gives_them_the_same_classes) {
  const ScratchFolder folder;
  for (const std::string part : {"train", "test"}) {
    folder.write("images/" + part + "/a.png", png_of(2, 2, false, {0, 1, 2, 3}));
    folder.write("annotations/" + part + "/a.png",
                 png_of(2, 2, false, std::vector<std::uint8_t>(4, part == "train" ? 1 : 3)));
  }
  ASSERT_TRUE(holds_masks(folder.path().string()));
  const auto splits = load_masked(folder.path().string(), {}, {.side = 2}, {});
  EXPECT_EQ(splits.train.count(), 1U);
  EXPECT_EQ(splits.validation.count(), 0U);
  EXPECT_EQ(splits.test.count(), 1U);
  EXPECT_EQ(splits.train.images.classes.names.size(), 4U);
}

TEST(SelectMasked, takes_images_with_their_masks) {
  MaskedImages two;
  two.images = {2, 1, 1, 2, {1, 2, 3, 4}, {}, numbered_labels(2)};
  two.masks = {0, 1, 1, 0};
  const std::vector<std::size_t> second = {1};
  const MaskedImages one = select(two, second);
  EXPECT_THAT(one.images.image(0), ElementsAre(3, 4));
  EXPECT_THAT(one.mask(0), ElementsAre(1, 0));
}

}  // namespace
}  // namespace attest::data
