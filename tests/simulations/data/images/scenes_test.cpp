#include "simulations/data/images/scenes.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"

namespace attest::data {
namespace {

using test_support::message_of;
using testing::HasSubstr;

/// One bright and one faint object of 4 x 4 pixels, of classes 0 and 1.
LabelledImages objects() {
  LabelledImages images{2, 1, 4, 4, std::vector<std::uint8_t>(32, 250), {0, 1}, {{"bright", "faint"}}};
  std::fill(images.pixels.begin() + 16, images.pixels.end(), 20);
  return images;
}

TEST(Scenes, are_pure_functions_of_their_numbers) {
  const MaskedImages all = generate_scenes(objects(), {.side = 12}, 1, 0, 6),
                     last = generate_scenes(objects(), {.side = 12}, 1, 4, 2);
  EXPECT_TRUE(std::equal(last.images.pixels.begin(), last.images.pixels.end(), all.images.pixels.begin() + 4 * 144));
  EXPECT_TRUE(std::equal(last.masks.begin(), last.masks.end(), all.masks.begin() + 4 * 144));
  EXPECT_NE(generate_scenes(objects(), {.side = 12}, 2, 0, 6).images.pixels, all.images.pixels);
}

TEST(Scenes, mark_the_pixels_of_objects_and_nothing_else) {
  const MaskedImages all = generate_scenes(objects(), {.side = 12}, 1, 0, 50);
  EXPECT_EQ(all.images.classes.names, (std::vector<std::string>{"ground", "bright", "faint"}));
  for (std::size_t i = 0; i < all.masks.size(); ++i) {
    // The ground is at most 160; an object's 250 is at least 0.6 times that, 150; the faint one is below the threshold.
    if (all.masks[i] == 0)
      EXPECT_LE(all.images.pixels[i], 160);
    else
      EXPECT_GE(all.images.pixels[i], 150);
  }
  EXPECT_EQ(std::set<int>(all.masks.begin(), all.masks.end()), (std::set<int>{0, 1}));
}

TEST(Scenes, lie_by_at_most_a_quarter_beyond_the_border) {
  // One object of 4 x 4 shows at least 3 x 3 pixels.
  LabelledImages bright = objects();
  bright.labels = {0, 0};
  std::fill(bright.pixels.begin(), bright.pixels.end(), 200);
  const MaskedImages all = generate_scenes(bright, {.side = 8, .least_objects = 1, .most_objects = 1}, 1, 0, 60);
  for (std::size_t i = 0; i < all.count(); ++i) {
    const auto shown = std::count(all.mask(i).begin(), all.mask(i).end(), 1);
    EXPECT_GE(shown, 9);
    EXPECT_LE(shown, 16);
  }
}

TEST(Scenes, refuse_objects_that_do_not_fit) {
  EXPECT_THAT(message_of<std::invalid_argument>([] { generate_scenes(objects(), {.side = 3}, 1, 0, 1); }),
              HasSubstr("give a larger side"));
}

}  // namespace
}  // namespace attest::data
