#include "simulations/data/images/scenes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"

namespace attest::data {
namespace {

constexpr std::uint8_t faintest = 32;  // of an object's pixels that hide the ground
constexpr double brightest_ground = 160;

/// Waves of random direction and length: the mean of three, the sign of one for stripes, of a
/// product of two for checks.
class Texture {
 public:
  Texture(std::size_t side, random::Stream& stream) : kind_(stream.integer(3)) {
    for (Wave& wave : waves_) {
      const double angle = stream.uniform(0, 6.283185307179586), length = stream.uniform(4, static_cast<double>(side));
      wave = {std::cos(angle) / length, std::sin(angle) / length, stream.uniform()};
    }
    dark_ = stream.uniform(0, brightest_ground / 2);
    light_ = stream.uniform(brightest_ground / 2, brightest_ground);
  }

  double at(double row, double column) const {
    double value = 0;
    const auto wave = [&](const Wave& w) {
      return std::sin(6.283185307179586 * (w.right * column + w.down * row + w.phase));
    };
    if (kind_ == 0) value = (wave(waves_[0]) + wave(waves_[1]) + wave(waves_[2])) / 3;
    if (kind_ == 1) value = wave(waves_[0]) > 0 ? 1 : -1;
    if (kind_ == 2) value = wave(waves_[0]) * wave(waves_[1]) > 0 ? 1 : -1;
    return dark_ + (light_ - dark_) * (value + 1) / 2;
  }

 private:
  struct Wave {
    double right = 0, down = 0, phase = 0;
  };
  std::uint64_t kind_;
  Wave waves_[3];
  double dark_ = 0, light_ = 0;
};

/// Puts one object into the scene.
void put(const LabelledImages& objects, random::Stream& stream, std::size_t side, std::uint8_t* pixels,
         std::uint8_t* mask) {
  const std::size_t chosen = stream.integer(objects.count);
  const auto image = objects.image(chosen);
  const auto rows = static_cast<std::ptrdiff_t>(objects.rows), columns = static_cast<std::ptrdiff_t>(objects.columns),
             n = static_cast<std::ptrdiff_t>(side);
  const auto place = [&](std::ptrdiff_t size) {
    const std::ptrdiff_t beyond = size / 4;
    return static_cast<std::ptrdiff_t>(stream.integer(static_cast<std::uint64_t>(n - size + 2 * beyond + 1))) - beyond;
  };
  const std::ptrdiff_t top = place(rows), left = place(columns);
  const bool mirrored = stream.integer(2) == 1;
  const double brightness = stream.uniform(0.6, 1);
  for (std::ptrdiff_t y = std::max<std::ptrdiff_t>(0, -top); y < rows && top + y < n; ++y)
    for (std::ptrdiff_t x = std::max<std::ptrdiff_t>(0, -left); x < columns && left + x < n; ++x) {
      const std::uint8_t value = image[static_cast<std::size_t>(y * columns + (mirrored ? columns - 1 - x : x))];
      if (value <= faintest) continue;
      const std::ptrdiff_t at = (top + y) * n + left + x;
      pixels[at] = static_cast<std::uint8_t>(brightness * value);
      mask[at] = static_cast<std::uint8_t>(objects.labels[chosen] + 1);
    }
}

}  // namespace

MaskedImages generate_scenes(const LabelledImages& objects, const SceneOptions& options, std::uint64_t seed,
                             std::uint64_t first, std::size_t count) {
  if (objects.count == 0 || objects.channels != 1 || objects.labels.size() != objects.count ||
      std::max(objects.rows, objects.columns) > options.side)
    throw std::invalid_argument(
        fmt::format("scenes of {0} x {0} pixels want grey labelled objects that fit into them, not {1} of {2} x {3} "
                    "pixels in {4} channels; give a larger side",
                    options.side, objects.count, objects.rows, objects.columns, objects.channels));
  const std::size_t size = options.side * options.side;
  MaskedImages out;
  out.images = {count, 1, options.side, options.side, std::vector<std::uint8_t>(count * size), {}, {{"ground"}}};
  out.masks.assign(count * size, 0);
  for (const std::string& name : objects.classes.names) out.images.classes.names.push_back(name);
  for (std::size_t i = 0; i < count; ++i) {
    random::Stream stream(seed, random::stream_key("data/scenes"), first + i);
    std::uint8_t* pixels = out.images.pixels.data() + i * size;
    const Texture ground(options.side, stream);
    for (std::size_t at = 0; at < size; ++at) {
      const std::size_t row = at / options.side, column = at % options.side;
      pixels[at] = static_cast<std::uint8_t>(ground.at(static_cast<double>(row), static_cast<double>(column)));
    }
    const std::size_t things = options.least_objects + stream.integer(options.most_objects - options.least_objects + 1);
    for (std::size_t k = 0; k < things; ++k) put(objects, stream, options.side, pixels, out.masks.data() + i * size);
  }
  return out;
}

}  // namespace attest::data
