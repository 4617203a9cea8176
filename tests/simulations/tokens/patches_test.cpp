#include "simulations/tokens/patches.hpp"

#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::tokens {
namespace {

// Two images of 4 x 6 pixels: 0..23 and 24..47.
IdxImages two_images() {
  IdxImages images{2, 4, 6, std::vector<std::uint8_t>(48)};
  std::iota(images.pixels.begin(), images.pixels.end(), std::uint8_t{0});
  return images;
}

constexpr PixelMoments raw{0, 1.0 / 255, 0};  // undoes the scaling: the features are the pixel values

TEST(Patches, are_cut_row_by_row_without_overlap) {
  const Eigen::MatrixXd tokens = patches(two_images(), 1, 2, 2, raw);
  ASSERT_EQ(tokens.rows(), 6);
  ASSERT_EQ(tokens.cols(), 4);
  EXPECT_TRUE(tokens.row(0).isApprox(Eigen::RowVector4d(24, 25, 30, 31)));
  EXPECT_TRUE(tokens.row(1).isApprox(Eigen::RowVector4d(26, 27, 32, 33)));
  EXPECT_TRUE(tokens.row(5).isApprox(Eigen::RowVector4d(40, 41, 46, 47)));
}

TEST(Patches, overlap_when_the_stride_is_smaller_and_leave_out_what_does_not_fit) {
  EXPECT_EQ(patch_count(two_images(), 2, 1), 15U);
  EXPECT_EQ(patch_count(two_images(), 3, 2), 2U);
  const Eigen::MatrixXd tokens = patches(two_images(), 0, 3, 2, raw);
  EXPECT_EQ(tokens(1, 0), 2);
  EXPECT_EQ(tokens(1, 8), 16);
}

TEST(Patches, are_standardised_by_the_moments_of_all_pixels) {
  const IdxImages images = two_images();
  const PixelMoments moments = pixel_moments(images);
  EXPECT_DOUBLE_EQ(moments.mean * 255, 23.5);
  const Eigen::MatrixXd first = patches(images, 0, 2, 2, moments);
  const Eigen::MatrixXd second = patches(images, 1, 2, 2, moments);
  constexpr double rounding = 48 * 0x1p-50;  // 48 terms of order 1
  EXPECT_NEAR(first.sum() + second.sum(), 0, rounding);
  EXPECT_NEAR((first.squaredNorm() + second.squaredNorm()) / 48, 1, rounding);
}

TEST(Patches, that_do_not_fit_and_images_without_contrast_are_refused) {
  EXPECT_THROW(patch_count(two_images(), 5, 1), std::invalid_argument);
  EXPECT_THROW(patch_count(two_images(), 0, 1), std::invalid_argument);
  EXPECT_THROW(patch_count(two_images(), 2, 0), std::invalid_argument);
  EXPECT_THROW(patches(two_images(), 2, 2, 2, raw), std::out_of_range);
  const IdxImages blank{1, 4, 4, std::vector<std::uint8_t>(16, 7)};
  EXPECT_THROW(patches(blank, 0, 2, 2, pixel_moments(blank)), std::invalid_argument);
}

}  // namespace
}  // namespace attest::tokens
