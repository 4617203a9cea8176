// Small PNG files for tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <png.h>

namespace attest::data {

/// A PNG of at most 10 kB: grey, or red, green and blue.
inline std::string png_of(std::uint32_t rows, std::uint32_t columns, bool colour,
                          const std::vector<std::uint8_t>& pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.height = rows;
  image.width = columns;
  image.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  std::string bytes(10000, '\0');
  png_alloc_size_t size = bytes.size();
  EXPECT_NE(png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr), 0);
  return bytes.substr(0, size);
}

}  // namespace attest::data
