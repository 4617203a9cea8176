#include "simulations/tokens/patches.hpp"

#include <stdexcept>

#include <fmt/core.h>

namespace attest::tokens {

std::size_t patch_count(const IdxImages& images, std::size_t patch, std::size_t stride) {
  if (patch == 0 || stride == 0 || patch > images.rows || patch > images.columns) {
    throw std::invalid_argument(
        fmt::format("patches of {} pixels at stride {} do not fit images of {} x {}; choose others", patch, stride,
                    images.rows, images.columns));
  }
  return ((images.rows - patch) / stride + 1) * ((images.columns - patch) / stride + 1);
}

Eigen::MatrixXd patches(const IdxImages& images, std::size_t index, std::size_t patch, std::size_t stride,
                        PixelMoments moments) {
  if (!(moments.deviation > 0)) {
    throw std::invalid_argument("the images' pixels are all equal; give images that show something");
  }
  Eigen::MatrixXd tokens(static_cast<Eigen::Index>(patch_count(images, patch, stride)),
                         static_cast<Eigen::Index>(patch * patch));
  const auto pixels = images.image(index);
  Eigen::Index token = 0;
  for (std::size_t top = 0; top + patch <= images.rows; top += stride) {
    for (std::size_t left = 0; left + patch <= images.columns; left += stride) {
      Eigen::Index feature = 0;
      for (std::size_t i = 0; i < patch; ++i) {
        for (std::size_t j = 0; j < patch; ++j) {
          const double value = pixels[(top + i) * images.columns + left + j] / 255.0;
          tokens(token, feature++) = (value - moments.mean) / moments.deviation;
        }
      }
      ++token;
    }
  }
  return tokens;
}

}  // namespace attest::tokens
