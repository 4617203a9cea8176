// What JPEG makes of an image.
#pragma once

#include "simulations/data/corruptions/planes.hpp"

namespace attest::data {

/// The image encoded by libjpeg at this quality, chroma at half the resolution, and decoded again.
Planes jpeg_round_trip(const Planes& image, int quality);

}  // namespace attest::data
