// JPEG files made in memory.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// libjpeg's header needs size_t and FILE before it.
#include <jpeglib.h>

namespace attest::data {

/// An 8 x 8 grey JPEG of one value: its transform has no rounding.
inline std::string grey_jpeg(std::uint8_t value) {
  jpeg_compress_struct state{};
  jpeg_error_mgr errors{};
  state.err = jpeg_std_error(&errors);
  jpeg_create_compress(&state);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&state, &buffer, &size);
  state.image_width = state.image_height = 8;
  state.input_components = 1;
  state.in_color_space = JCS_GRAYSCALE;
  jpeg_set_defaults(&state);
  jpeg_set_quality(&state, 100, TRUE);
  jpeg_start_compress(&state, TRUE);
  std::vector<unsigned char> row(8, value);
  JSAMPROW pointer = row.data();
  for (int i = 0; i < 8; ++i) jpeg_write_scanlines(&state, &pointer, 1);
  jpeg_finish_compress(&state);
  jpeg_destroy_compress(&state);
  std::string bytes(reinterpret_cast<const char*>(buffer), size);
  std::free(buffer);
  return bytes;
}

}  // namespace attest::data
