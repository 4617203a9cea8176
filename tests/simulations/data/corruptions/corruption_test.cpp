#include "simulations/data/corruptions/corruption.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::data {
namespace {

using Pixels = std::vector<std::uint8_t>;
using test_support::message_of;
using testing::HasSubstr;

constexpr std::size_t side = 32;

Pixels flat(std::uint8_t value, std::size_t channels = 1) { return Pixels(channels * side * side, value); }

/// A picture with edges, slopes and a pattern of squares: of single ones, blurred glass would hide what it moves.
Pixels scene(std::size_t channels = 1) {
  Pixels pixels;
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t y = 0; y < side; ++y)
      for (std::size_t x = 0; x < side; ++x)
        pixels.push_back(static_cast<std::uint8_t>(40 + 3 * x + (y > 12 && x > 8 && x < 24 ? 60 : 0) +
                                                   (x / 4 + y / 4) % 2 * 30 + 10 * c));
  return pixels;
}

Pixels made(const Pixels& image, Corruption kind, int severity, std::uint64_t number = 0) {
  return corrupted(image, image.size() / (side * side), side, side, kind, severity, 1, number);
}

double mean_of(const Pixels& pixels) {
  return std::accumulate(pixels.begin(), pixels.end(), 0.0) / static_cast<double>(pixels.size());
}

double distance(const Pixels& a, const Pixels& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(a[i] - static_cast<double>(b[i]), 2);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

TEST(Corruption, has_the_fifteen_published_names) {
  const auto names = corruption_names();
  EXPECT_EQ(names.size(), corruption_count);
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(find_corruption(names[i]), static_cast<Corruption>(i)) << names[i];
  EXPECT_EQ(corruption_name(Corruption::jpeg_compression), "jpeg_compression");
  EXPECT_FALSE(find_corruption("rain"));
}

class EveryCorruption : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryCorruption, changes_more_the_more_severe_it_is) {
  const auto kind = static_cast<Corruption>(GetParam());
  for (const std::size_t channels : {std::size_t{1}, std::size_t{3}}) {
    // Means over images: where the harm is random, one image may fare better at a higher severity.
    double mild = 0, severe = 0;
    for (std::uint64_t number = 0; number < 20; ++number) {
      mild += distance(made(scene(channels), kind, 1, number), scene(channels));
      severe += distance(made(scene(channels), kind, 5, number), scene(channels));
    }
    // Elastic transforms of severity 1 bend the whole picture by most and those of severity 5 every part of it.
    if (kind == Corruption::elastic_transform)
      EXPECT_GT(std::min(mild, severe), 0);
    else
      EXPECT_GT(severe, mild);
  }
}

TEST_P(EveryCorruption, is_a_pure_function_of_seed_and_number) {
  const auto kind = static_cast<Corruption>(GetParam());
  EXPECT_EQ(made(scene(), kind, 3, 7), made(scene(), kind, 3, 7));
  LabelledImages images{2, 1, side, side, scene(), {0, 1}, numbered_labels(2)};
  const Pixels second = flat(90);
  images.pixels.insert(images.pixels.end(), second.begin(), second.end());
  const LabelledImages one = corrupted(images, kind, 3, 1, 1), two = corrupted(images, kind, 3, 1, 2);
  EXPECT_EQ(one.pixels, two.pixels);
  EXPECT_EQ(Pixels(one.pixels.begin() + side * side, one.pixels.end()), made(second, kind, 3, 1));
  EXPECT_EQ(one.labels, images.labels);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryCorruption, testing::Range(std::size_t{0}, corruption_count),
                         [](const auto& instance) {
                           return std::string(corruption_name(static_cast<Corruption>(instance.param)));
                         });

TEST(Corruption, of_noise_has_the_published_strength) {
  // 32 x 32 x 60 pixels: six standard deviations of a mean are below the bounds.
  double squares = 0, shots = 0, flipped = 0;
  constexpr int images = 60;
  constexpr double count = images * side * side, level = 127 / 255.0;
  for (std::uint64_t number = 0; number < images; ++number) {
    for (const std::uint8_t value : made(flat(127), Corruption::gaussian_noise, 5, number))
      squares += std::pow((value - 127.0) / 255, 2) / count;
    for (const std::uint8_t value : made(flat(127), Corruption::shot_noise, 5, number))
      shots += std::pow((value - 127.0) / 255, 2) / count;
    for (const std::uint8_t value : made(flat(127), Corruption::impulse_noise, 5, number))
      flipped += (value == 0 || value == 255 ? 1 : 0) / count;
  }
  EXPECT_NEAR(squares, .1 * .1, .1 * .1 * 6 * std::sqrt(2 / count) + 1.0 / 255 / 255);
  // Poisson of mean 50 level, in units of 1/50; what lies above white is cut, which is rarer than 1e-6.
  EXPECT_NEAR(shots, level / 50, level / 50 * 6 * std::sqrt(2.1 / count) + 1.0 / 255 / 255);
  EXPECT_NEAR(flipped, .07, 6 * std::sqrt(.07 * .93 / count));
}

TEST(Corruption, of_contrast_and_brightness_is_what_their_formulas_give) {
  Pixels halves = flat(0);
  std::fill(halves.begin(), halves.begin() + side * side / 2, 200);
  // Mean 100; (200 - 100) 0.5 + 100 = 150 and 50.
  const Pixels weak = made(halves, Corruption::contrast, 2);
  EXPECT_EQ(weak.front(), 150);
  EXPECT_EQ(weak.back(), 50);
  // 0.3 is 76.5 of 255: 100 + 76.5 and, of colours, (20, 100, 50) times 176.5/100.
  EXPECT_EQ(made(flat(100), Corruption::brightness, 5).front(), 176);
  Pixels colour = flat(20, 3);
  std::fill(colour.begin() + side * side, colour.begin() + 2 * side * side, 100);
  std::fill(colour.begin() + 2 * side * side, colour.end(), 50);
  const Pixels bright = made(colour, Corruption::brightness, 5);
  EXPECT_EQ(bright[0], 35);
  EXPECT_EQ(bright[side * side], 176);
  EXPECT_EQ(bright[2 * side * side], 88);
  EXPECT_EQ(made(flat(250), Corruption::brightness, 5).front(), 255);
}

TEST(Corruption, that_only_moves_light_leaves_a_flat_picture_flat) {
  using enum Corruption;
  for (const Corruption kind :
       {defocus_blur, glass_blur, motion_blur, zoom_blur, elastic_transform, pixelate, contrast}) {
    const Pixels out = made(flat(100), kind, 5);
    constexpr int one_step = 1;  // of the 256 that a byte holds
    for (const std::uint8_t value : out) ASSERT_NEAR(value, 100, one_step) << corruption_name(kind);
  }
}

TEST(Corruption, by_pixels_takes_means_over_boxes) {
  // 32 to int(0.65 * 32) = 20 pixels: a checkerboard of single pixels keeps its mean and loses contrast. A box of 1.6
  // pixels a side holds 0.4 more of one colour than of the other at most, so its mean is off by (0.4/1.6)^2 of 127.5.
  Pixels board;
  for (std::size_t i = 0; i < side * side; ++i) board.push_back((i / side + i) % 2 == 0 ? 255 : 0);
  const Pixels out = made(board, Corruption::pixelate, 5);
  constexpr double of_a_box = 127.5 / 16, one_step = 1;
  EXPECT_NEAR(mean_of(out), mean_of(board), of_a_box + one_step);
  EXPECT_LT(distance(out, flat(128)), distance(board, flat(128)));
  // Pictures of 128 pixels have other strengths: int(0.25 * 128) = 32, boxes of exactly 4 x 4.
  Pixels large;
  for (std::size_t i = 0; i < 128 * 128; ++i) large.push_back(i % 128 % 4 == 0 ? 200 : 0);
  const Pixels means = corrupted(large, 1, 128, 128, Corruption::pixelate, 5, 1, 0);
  EXPECT_EQ(std::count(means.begin(), means.end(), 50), 128 * 128);
}

TEST(Corruption, by_snow_and_frost_brightens) {
  for (const Corruption kind : {Corruption::snow, Corruption::frost})
    EXPECT_GT(mean_of(made(flat(60, 3), kind, 5)), 60) << corruption_name(kind);
}

TEST(Corruption, by_fog_lightens_black_and_stays_below_the_brightest) {
  Pixels halves = flat(0);
  std::fill(halves.begin(), halves.begin() + side * side / 2, 200);
  const Pixels out = made(halves, Corruption::fog, 5);
  // (x + 1.5 h) b / (b + 1.5) with b = 200/255 and heights h from 0 to 1.
  const double share = 200 / 255.0 / (200 / 255.0 + 1.5);
  EXPECT_LE(*std::max_element(out.begin(), out.end()), 200);
  EXPECT_GE(*std::min_element(out.begin(), out.begin() + side * side / 2), std::floor(200 * share));
  EXPECT_LE(*std::max_element(out.begin() + side * side / 2, out.end()), std::ceil(255 * 1.5 * share));
  EXPECT_GT(mean_of({out.begin() + side * side / 2, out.end()}), 0);
}

TEST(Corruption, refuses_what_it_has_no_strength_or_place_for) {
  EXPECT_THAT(message_of<std::invalid_argument>([] { made(flat(1), Corruption::fog, 6); }), HasSubstr("give 1 to 5"));
  EXPECT_THAT(message_of<std::invalid_argument>([] { corrupted(Pixels(14), 2, 7, 1, Corruption::fog, 1, 1, 0); }),
              HasSubstr("images of 2 channels and 7 x 1 pixels cannot be corrupted"));
}

}  // namespace
}  // namespace attest::data
