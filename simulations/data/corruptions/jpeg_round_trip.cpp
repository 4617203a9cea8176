#include "simulations/data/corruptions/jpeg_round_trip.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

// libjpeg's header needs size_t and FILE before it.
#include <jpeglib.h>

#include "simulations/data/images/image_file.hpp"

namespace attest::data {

Planes jpeg_round_trip(const Planes& image, int quality) {
  Image plain{image.rows, image.columns, image.channels, {}};
  for (std::size_t y = 0; y < image.rows; ++y)
    for (std::size_t x = 0; x < image.columns; ++x)
      for (std::size_t c = 0; c < image.channels; ++c)
        plain.pixels.push_back(static_cast<std::uint8_t>(std::lround(255 * std::clamp(image.at(c, y, x), 0.0, 1.0))));
  jpeg_compress_struct state{};
  jpeg_error_mgr errors{};
  state.err = jpeg_std_error(&errors);
  // Pixels in memory of a size that was checked leave libjpeg nothing to complain of but a lack of memory, of which it
  // tells before it ends the program.
  jpeg_create_compress(&state);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;  // NOLINT(google-runtime-int): libjpeg's type
  jpeg_mem_dest(&state, &bytes, &size);
  state.image_width = static_cast<JDIMENSION>(image.columns);
  state.image_height = static_cast<JDIMENSION>(image.rows);
  state.input_components = static_cast<int>(image.channels);
  state.in_color_space = image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&state);
  state.dct_method = JDCT_ISLOW;  // the same bytes on every machine
  jpeg_set_quality(&state, quality, TRUE);
  jpeg_start_compress(&state, TRUE);
  while (state.next_scanline < state.image_height) {
    JSAMPROW row = plain.pixels.data() + state.next_scanline * image.columns * image.channels;
    jpeg_write_scanlines(&state, &row, 1);
  }
  jpeg_finish_compress(&state);
  jpeg_destroy_compress(&state);
  const Image back = decode_jpeg({reinterpret_cast<const char*>(bytes), size}, "a compressed image");
  std::free(bytes);  // NOLINT(cppcoreguidelines-no-malloc): libjpeg's memory
  Planes out = image;
  for (std::size_t y = 0; y < image.rows; ++y)
    for (std::size_t x = 0; x < image.columns; ++x)
      for (std::size_t c = 0; c < image.channels; ++c)
        out.at(c, y, x) = back.pixels[(y * image.columns + x) * image.channels + c] / 255.0;
  return out;
}

}  // namespace attest::data
