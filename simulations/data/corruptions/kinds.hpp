// Each corruption's own function: what `corrupted` calls.
#pragma once

#include "simulations/data/corruptions/planes.hpp"

namespace attest::data {

/// A strength from 1 to 5, and which of the two scales it is read on.
struct Severity {
  int level = 1;
  bool large = false;  ///< ImageNet-C's strengths instead of CIFAR-10-C's
};

Planes gaussian_noise(const Planes& image, Severity severity, random::Stream& stream);
Planes shot_noise(const Planes& image, Severity severity, random::Stream& stream);
Planes impulse_noise(const Planes& image, Severity severity, random::Stream& stream);
Planes defocus_blur(const Planes& image, Severity severity, random::Stream& stream);
Planes glass_blur(const Planes& image, Severity severity, random::Stream& stream);
Planes motion_blur(const Planes& image, Severity severity, random::Stream& stream);
Planes zoom_blur(const Planes& image, Severity severity, random::Stream& stream);
Planes snow(const Planes& image, Severity severity, random::Stream& stream);
Planes frost(const Planes& image, Severity severity, random::Stream& stream);
Planes fog(const Planes& image, Severity severity, random::Stream& stream);
Planes brightness(const Planes& image, Severity severity, random::Stream& stream);
Planes contrast(const Planes& image, Severity severity, random::Stream& stream);
Planes elastic_transform(const Planes& image, Severity severity, random::Stream& stream);
Planes pixelate(const Planes& image, Severity severity, random::Stream& stream);
Planes jpeg_compression(const Planes& image, Severity severity, random::Stream& stream);

/// Five strengths on each scale.
template <class Strength>
struct Strengths {
  Strength small[5], large[5];
  const Strength& operator[](Severity severity) const { return (severity.large ? large : small)[severity.level - 1]; }
};

}  // namespace attest::data
