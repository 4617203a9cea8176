// The fifteen common corruptions of images: ImageNet-C's definitions, and CIFAR-10-C's for small images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulations/data/images/labelled_images.hpp"

namespace attest::data {

/// In the order of Hendrycks and Dietterich 2019, "Benchmarking Neural Network Robustness to Common Corruptions and
/// Perturbations", Figure 1.
enum class Corruption {
  gaussian_noise,
  shot_noise,
  impulse_noise,
  defocus_blur,
  glass_blur,
  motion_blur,
  zoom_blur,
  snow,
  frost,
  fog,
  brightness,
  contrast,
  elastic_transform,
  pixelate,
  jpeg_compression,
};
inline constexpr std::size_t corruption_count = 15;
inline constexpr int most_severe = 5;

/// "gaussian_noise": the name of its file in CIFAR-10-C and of its folder in ImageNet-C.
std::string_view corruption_name(Corruption kind);
std::optional<Corruption> find_corruption(std::string_view name);
/// All fifteen names, in order.
std::vector<std::string> corruption_names();

/// Images with both sides below this get CIFAR-10-C's strengths, larger ones ImageNet-C's, which are meant for 224.
inline constexpr std::size_t large_side = 128;

/// One image in [channel][row][column], as the published generators make it from a clean one (their values cut to whole
/// numbers from 0 to 255). What they fix for 32 or 224 pixels follows the image's own side here; grey images are
/// treated as one channel. Random numbers are a pure function of (kind, severity, seed, number): every model is given
/// the same image. Differs from the published code in this: `frost` lays a drawn texture over the image in place of
/// five photographs; `glass_blur` exchanges pixels, where that code, through views of NumPy, copies one onto the other;
/// layers are not rounded to 8 bits on the way.
/// Errors: std::invalid_argument unless 1 <= severity <= 5, there are 1 or 3 channels and at least 8 rows and columns.
std::vector<std::uint8_t> corrupted(std::span<const std::uint8_t> image, std::size_t channels, std::size_t rows,
                                    std::size_t columns, Corruption kind, int severity, std::uint64_t seed,
                                    std::uint64_t number);

/// Every image of a set, numbered as there. Errors: as `corrupted`.
LabelledImages corrupted(const LabelledImages& images, Corruption kind, int severity, std::uint64_t seed,
                         unsigned threads);

}  // namespace attest::data
