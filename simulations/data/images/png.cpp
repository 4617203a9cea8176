#include <fmt/core.h>
#include <png.h>

#include "simulations/data/files/lines.hpp"
#include "simulations/data/images/image_file.hpp"

namespace attest::data {
namespace {

// libpng's own state, freed on every way out.
struct Png {
  png_image image{};
  Png() { image.version = PNG_IMAGE_VERSION; }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;
  ~Png() { png_image_free(&image); }
};

/// The most pixels that a byte of a file can stand for: one bit each, deflated by at most 1032 to 1 (zlib, technical
/// details, "maximum compression factor").
constexpr std::size_t most_pixels_per_byte = std::size_t{8} * 1032;

[[noreturn]] void refuse_png(const std::string& name, const std::string& why) {
  refuse(name, fmt::format("is a damaged or truncated PNG ({}); fetch it again", why));
}

[[noreturn]] void refuse_png(const std::string& name, const png_image& image) {
  refuse_png(name, std::string(static_cast<const char*>(image.message)));
}

}  // namespace

Image decode_png(std::string_view bytes, const std::string& name) {
  Png png;
  png_image& image = png.image;
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) refuse_png(name, image);
  if (image.width == 0 || image.height > most_pixels / image.width) {
    refuse(name, fmt::format("has {} x {} pixels where at most {} are read; make it smaller", image.height, image.width,
                             most_pixels));
  }
  // Before memory is taken for what a damaged header says.
  if (std::size_t{image.height} * image.width / most_pixels_per_byte > bytes.size()) {
    refuse_png(name, fmt::format("{} bytes cannot hold {} x {} pixels", bytes.size(), image.height, image.width));
  }
  const bool colour = (image.format & PNG_FORMAT_FLAG_COLOR) != 0;
  image.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Image result{image.height, image.width, colour ? 3U : 1U, {}};
  result.pixels.resize(result.rows * result.columns * result.channels);
  const png_color black{0, 0, 0};
  if (png_image_finish_read(&image, &black, result.pixels.data(), 0, nullptr) == 0) refuse_png(name, image);
  // Warnings leave a message and a picture that need not be the one that was written.
  if (image.warning_or_error != 0) refuse_png(name, image);
  return result;
}

}  // namespace attest::data
