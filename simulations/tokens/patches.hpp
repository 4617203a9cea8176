// An image as a sequence of vectorised patches.
#pragma once

#include <cstddef>

#include <Eigen/Core>

#include "simulations/data/images/idx.hpp"

namespace attest::tokens {

using data::IdxImages;
using data::PixelMoments;

/// Number of patches of `patch` x `patch` pixels whose corners lie `stride` apart.
/// Errors: std::invalid_argument when patch or stride is 0, or the patch exceeds the image.
std::size_t patch_count(const IdxImages& images, std::size_t patch, std::size_t stride);

/// The patches of image `index`, row by row over the image, pixels standardised to (value/255 - mean)/deviation:
/// patch_count x patch^2. Errors: as patch_count; std::invalid_argument when the deviation is 0; std::out_of_range for
/// an image that is not there.
Eigen::MatrixXd patches(const IdxImages& images, std::size_t index, std::size_t patch, std::size_t stride,
                        PixelMoments moments);

}  // namespace attest::tokens
