#include "simulations/data/corruptions/corruption.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/core.h>

#include "kernels/parallel/blocks.hpp"
#include "simulations/data/corruptions/kinds.hpp"

namespace attest::data {
namespace {

struct Kind {
  std::string_view name;
  Planes (*apply)(const Planes&, Severity, random::Stream&);
};

constexpr std::array<Kind, corruption_count> kinds = {{{"gaussian_noise", gaussian_noise},
                                                       {"shot_noise", shot_noise},
                                                       {"impulse_noise", impulse_noise},
                                                       {"defocus_blur", defocus_blur},
                                                       {"glass_blur", glass_blur},
                                                       {"motion_blur", motion_blur},
                                                       {"zoom_blur", zoom_blur},
                                                       {"snow", snow},
                                                       {"frost", frost},
                                                       {"fog", fog},
                                                       {"brightness", brightness},
                                                       {"contrast", contrast},
                                                       {"elastic_transform", elastic_transform},
                                                       {"pixelate", pixelate},
                                                       {"jpeg_compression", jpeg_compression}}};

}  // namespace

std::string_view corruption_name(Corruption kind) { return kinds[static_cast<std::size_t>(kind)].name; }

std::optional<Corruption> find_corruption(std::string_view name) {
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i].name == name) return static_cast<Corruption>(i);
  return std::nullopt;
}

std::vector<std::string> corruption_names() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

std::vector<std::uint8_t> corrupted(std::span<const std::uint8_t> image, std::size_t channels, std::size_t rows,
                                    std::size_t columns, Corruption kind, int severity, std::uint64_t seed,
                                    std::uint64_t number) {
  constexpr std::size_t least_side = 8;
  if (severity < 1 || severity > most_severe)
    throw std::invalid_argument(fmt::format("severity {} of a corruption; give 1 to {}", severity, most_severe));
  if ((channels != 1 && channels != 3) || rows < least_side || columns < least_side)
    throw std::invalid_argument(
        fmt::format("images of {} channels and {} x {} pixels cannot be corrupted; give 1 or 3 channels and {} or more "
                    "rows and columns",
                    channels, rows, columns, least_side));
  Planes planes{channels, rows, columns, {}};
  for (const std::uint8_t value : image) planes.values.push_back(value / 255.0);
  const Kind& how = kinds[static_cast<std::size_t>(kind)];
  random::Stream stream(seed, random::stream_key(fmt::format("data/corruption/{}/{}", how.name, severity)), number);
  const Planes made = how.apply(planes, {severity, std::max(rows, columns) >= large_side}, stream);
  std::vector<std::uint8_t> pixels;
  // A value of k/255 must come back as k although 255 (k/255) may lie below it.
  constexpr double rounding = 1e-9;
  for (const double value : made.values)
    pixels.push_back(static_cast<std::uint8_t>(255 * std::clamp(value, 0.0, 1.0) + rounding));
  return pixels;
}

LabelledImages corrupted(const LabelledImages& images, Corruption kind, int severity, std::uint64_t seed,
                         unsigned threads) {
  LabelledImages out = images;
  const std::size_t size = images.channels * images.rows * images.columns;
  parallel::for_each_block(static_cast<std::int64_t>(images.count), threads, [&](std::int64_t index) {
    const auto i = static_cast<std::size_t>(index);
    const auto made = corrupted(images.image(i), images.channels, images.rows, images.columns, kind, severity, seed, i);
    std::copy(made.begin(), made.end(), out.pixels.begin() + static_cast<std::ptrdiff_t>(i * size));
  });
  return out;
}

}  // namespace attest::data
