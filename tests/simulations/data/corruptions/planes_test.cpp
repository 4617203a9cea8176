#include "simulations/data/corruptions/planes.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"

namespace attest::data {
namespace {

Planes row_of(std::vector<double> values) { return {1, 1, values.size(), std::move(values)}; }

/// One bright pixel in the middle of 9 x 9.
Planes spot() {
  Planes image{1, 9, 9, std::vector<double>(81, 0.0)};
  image.at(0, 4, 4) = 1;
  return image;
}

double sum_of(const Planes& image) {
  double sum = 0;
  for (const double value : image.values) sum += value;
  return sum;
}

TEST(Inside, follows_each_border) {
  // a b c d beyond both ends.
  const auto places = [](Border border) {
    std::vector<std::size_t> found;
    for (std::ptrdiff_t place = -3; place < 8; ++place) found.push_back(inside(place, 4, border));
    return found;
  };
  EXPECT_EQ(places(Border::nearest), (std::vector<std::size_t>{0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3}));
  EXPECT_EQ(places(Border::symmetric), (std::vector<std::size_t>{2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0}));
  EXPECT_EQ(places(Border::reflect), (std::vector<std::size_t>{3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1}));
  EXPECT_EQ(inside(5, 1, Border::reflect), 0U);
}

TEST(Blurred, weighs_neighbours_by_the_gaussian) {
  const Planes out = blurred(spot(), 1, Border::nearest, 1);
  // Cut at one deviation: weights exp(-1/2), 1, exp(-1/2), normalised, on both axes.
  const double side = std::exp(-0.5) / (1 + 2 * std::exp(-0.5)), middle = 1 / (1 + 2 * std::exp(-0.5));
  EXPECT_DOUBLE_EQ(out.at(0, 4, 4), middle * middle);
  EXPECT_DOUBLE_EQ(out.at(0, 3, 4), side * middle);
  EXPECT_DOUBLE_EQ(out.at(0, 3, 5), side * side);
  EXPECT_EQ(out.at(0, 2, 4), 0);
  EXPECT_EQ(blurred(spot(), 0, Border::nearest, 4).values, spot().values);
}

TEST(Correlated, reads_the_kernel_without_turning_it) {
  const std::vector<double> kernel = {0, 0, 0, 0, 0, 1, 0, 0, 0};  // the pixel to the right
  const Planes out = correlated(row_of({1, 2, 3}), kernel);
  EXPECT_EQ(out.values, (std::vector<double>{2, 3, 2}));
}

TEST(Interpolated, is_linear_between_pixels) {
  const Planes image{1, 2, 2, {0, 1, 2, 3}};
  EXPECT_DOUBLE_EQ(interpolated(image, 0, 0.5, 0.25, Border::nearest), 1.25);
  EXPECT_DOUBLE_EQ(interpolated(image, 0, 1, 1, Border::nearest), 3);
}

TEST(Zoomed, stretches_the_middle_end_onto_end) {
  // Twice: the middle two of four pixels, 1 and 2, at 1, 4/3, 5/3, 2.
  const Planes out = zoomed(row_of({0, 1, 2, 3}), 2);
  ASSERT_EQ(out.columns, 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(out.values[i], 1 + static_cast<double>(i) / 3);
  EXPECT_EQ(zoomed(spot(), 1).values, spot().values);
}

TEST(Moved, smears_along_its_line_alone) {
  // Radius 1: three pixels with weights 1, e^(-1/2), e^(-2), to the right of each pixel; so the spot goes to the left.
  const Planes out = moved(spot(), 1, 1, 0);
  const double total = 1 + std::exp(-0.5) + std::exp(-2.0);
  EXPECT_DOUBLE_EQ(out.at(0, 4, 4), 1 / total);
  EXPECT_DOUBLE_EQ(out.at(0, 4, 3), std::exp(-0.5) / total);
  EXPECT_DOUBLE_EQ(out.at(0, 4, 2), std::exp(-2.0) / total);
  EXPECT_NEAR(sum_of(out), 1, 3 * tests::unit_roundoff);
  EXPECT_DOUBLE_EQ(moved(spot(), 1, 1, 90).at(0, 3, 4), std::exp(-0.5) / total);
}

TEST(Plasma, fills_the_range_and_follows_its_stream) {
  random::Stream one(1, 2, 3), same(1, 2, 3), other(1, 2, 4);
  const Planes map = plasma(16, 16, 3, one);
  EXPECT_EQ(*std::min_element(map.values.begin(), map.values.end()), 0);
  EXPECT_EQ(*std::max_element(map.values.begin(), map.values.end()), 1);
  EXPECT_EQ(map.values, plasma(16, 16, 3, same).values);
  EXPECT_NE(map.values, plasma(16, 16, 3, other).values);
}

}  // namespace
}  // namespace attest::data
