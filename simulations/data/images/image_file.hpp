// One image from a PNG or JPEG file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attest::data {

/// Pixels in 0..255, [row][column][channel], channels grey or red, green, blue.
struct Image {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t channels = 1;
  std::vector<std::uint8_t> pixels;
};

/// Decoders refuse images of more pixels than this, so that a small file cannot fill the memory.
inline constexpr std::size_t most_pixels = std::size_t{1} << 26U;

/// Decodes a PNG (by libpng): 16-bit values are cut to 8 bits, palettes are looked up, transparent pixels are put on
/// black. `name` stands for the file in messages. Errors: MalformedData naming the file, libpng's complaint and the
/// fix when it is truncated, damaged or larger than `most_pixels`.
Image decode_png(std::string_view bytes, const std::string& name);

/// Decodes a JPEG (by libjpeg), grey or colour. Errors: as decode_png; what libjpeg only warns of, such as a missing
/// end, is refused too.
Image decode_jpeg(std::string_view bytes, const std::string& name);

/// Decodes a file by its first bytes. Errors: as above; MalformedData when it is neither; std::runtime_error when it
/// cannot be read.
Image read_image(const std::filesystem::path& path);

}  // namespace attest::data
