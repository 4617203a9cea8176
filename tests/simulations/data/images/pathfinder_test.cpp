#include "simulations/data/images/pathfinder.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "simulations/data/examples/load_examples.hpp"
#include "tests/simulations/shared_data.hpp"
#include "tests/support/rounding.hpp"

namespace attest::data {
namespace {

double distance(PixelPoint a, PixelPoint b) { return std::hypot(a.x - b.x, a.y - b.y); }

TEST(Pathfinder, has_both_discs_on_one_curve_exactly_when_the_label_is_1) {
  for (std::uint64_t sample = 0; sample < 50; ++sample) {
    const PathfinderScene scene = pathfinder_scene({}, 3, sample);
    ASSERT_GE(scene.curves.size(), 2U);
    const auto curve_of_first = distance(scene.discs[0], scene.curves[0].front().from) == 0 ? 0U : 1U;
    const auto curve_of_last = distance(scene.discs[1], scene.curves[0].back().to) == 0 ? 0U : 1U;
    EXPECT_EQ(distance(scene.discs[0], scene.curves[curve_of_first].front().from), 0);
    EXPECT_EQ(distance(scene.discs[1], scene.curves[curve_of_last].back().to), 0);
    EXPECT_EQ(scene.label, curve_of_first == curve_of_last ? 1 : 0);
  }
}

TEST(Pathfinder, has_curves_of_whole_dashes_inside_the_border_that_keep_clear_of_each_other) {
  const PathfinderOptions options;
  constexpr double rounding = 4 * 32 * tests::unit_roundoff;  // of both ends' coordinates, below 32
  for (std::uint64_t sample = 0; sample < 50; ++sample) {
    const PathfinderScene scene = pathfinder_scene(options, 4, sample);
    for (std::size_t c = 0; c < scene.curves.size(); ++c) {
      EXPECT_EQ(scene.curves[c].size(), c < 2 ? options.dashes : options.distractor_dashes);
      for (const Dash& dash : scene.curves[c]) {
        EXPECT_NEAR(distance(dash.from, dash.to), options.dash_length, rounding);
        for (const PixelPoint& end : {dash.from, dash.to}) {
          EXPECT_GE(std::min({end.x, end.y, 32 - end.x, 32 - end.y}), options.border);
          for (std::size_t other = 0; other < c; ++other) {
            for (const Dash& far : scene.curves[other]) {
              EXPECT_GE(std::min(distance(end, far.from), distance(end, far.to)), options.clearance);
            }
          }
        }
      }
    }
  }
}

TEST(Pathfinder, has_the_same_bits_for_any_number_of_threads_and_any_first_scene) {
  const LabelledImages one = generate_pathfinder({}, 5, 0, 20, 1);
  const LabelledImages many = generate_pathfinder({}, 5, 0, 20, 4);
  EXPECT_EQ(one.pixels, many.pixels);
  EXPECT_EQ(one.labels, many.labels);
  const LabelledImages later = generate_pathfinder({}, 5, 19, 1, 1);
  EXPECT_TRUE(std::ranges::equal(later.image(0), one.image(19)));
  EXPECT_NE(generate_pathfinder({}, 6, 0, 20, 1).pixels, one.pixels);
}

TEST(Pathfinder, draws_white_discs) {
  const PathfinderOptions options;
  const PathfinderScene scene = pathfinder_scene(options, 1, 0);
  const std::vector<std::uint8_t> pixels = draw(scene, options);
  for (const PixelPoint& disc : scene.discs)
    EXPECT_EQ(pixels[static_cast<std::size_t>(disc.y) * 32 + static_cast<std::size_t>(disc.x)], 255);
}

TEST(Pathfinder, without_room_is_refused) {
  PathfinderOptions options;
  options.side = 8;
  EXPECT_THROW(pathfinder_scene(options, 1, 0), std::invalid_argument);
  options.side = 2;
  EXPECT_THROW(pathfinder_scene(options, 1, 0), std::invalid_argument);
}

TEST(Pathfinder, looks_like_the_arenas_own_images) {
  ATTEST_NEEDS_DATA("pathfinder32");
  const LabelledImages published = load_images("pathfinder32", "").train;
  const LabelledImages ours = generate_pathfinder({}, 1, 0, 400, 0);
  // Our own drawing of the same geometry: as much ink, within a quarter, and as much contrast.
  const ChannelMoments theirs = channel_moments(published)[0];
  const ChannelMoments mine = channel_moments(ours)[0];
  EXPECT_LT(std::abs(mine.mean / theirs.mean - 1), 0.25);
  EXPECT_LT(std::abs(mine.deviation / theirs.deviation - 1), 0.25);
}

}  // namespace
}  // namespace attest::data
