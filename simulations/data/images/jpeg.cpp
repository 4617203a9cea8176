#include <array>
#include <csetjmp>
#include <cstdio>

#include <fmt/core.h>
// libjpeg's header needs size_t and FILE before it.
#include <jpeglib.h>

#include "simulations/data/files/lines.hpp"
#include "simulations/data/images/image_file.hpp"

namespace attest::data {
namespace {

// libjpeg reports through functions of its caller and leaves by longjmp, as its manual prescribes.
struct Decoder {
  jpeg_decompress_struct state{};
  jpeg_error_mgr errors{};
  std::jmp_buf leave{};
  std::array<char, JMSG_LENGTH_MAX> message{};

  Decoder() {
    state.err = jpeg_std_error(&errors);
    state.client_data = this;
    errors.error_exit = [](j_common_ptr common) {
      auto* decoder = static_cast<Decoder*>(common->client_data);
      common->err->format_message(common, decoder->message.data());
      std::longjmp(decoder->leave, 1);
    };
    // Level -1 is a warning about damaged data; what is decoded then is not what was written.
    errors.emit_message = [](j_common_ptr common, int level) {
      if (level < 0) common->err->error_exit(common);
    };
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() { jpeg_destroy_decompress(&state); }
};

// A block of 64 values takes a bit of Huffman's code at least; with three colours, two of them sampled at a quarter of
// the lines or columns, 9 blocks are 32 x 32 pixels: 2731 values per byte. An arithmetic code, whose end reads as
// zeros, may hold any number: such a picture is not a photograph.
constexpr std::size_t most_values_per_byte = 4096;

// Nothing with a destructor lives in these two frames, so that longjmp may pass over them.
bool read_header(Decoder& decoder, const unsigned char* bytes, std::size_t size) {
  if (setjmp(decoder.leave) != 0) return false;
  jpeg_create_decompress(&decoder.state);
  jpeg_mem_src(&decoder.state, bytes, size);
  jpeg_read_header(&decoder.state, TRUE);
  decoder.state.out_color_space = decoder.state.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
  // The integer transform gives the same pixels on every machine.
  decoder.state.dct_method = JDCT_ISLOW;
  return true;
}

bool read_pixels(Decoder& decoder, std::uint8_t* pixels, std::size_t stride) {
  if (setjmp(decoder.leave) != 0) return false;
  jpeg_start_decompress(&decoder.state);
  while (decoder.state.output_scanline < decoder.state.output_height) {
    JSAMPROW row = pixels + decoder.state.output_scanline * stride;
    jpeg_read_scanlines(&decoder.state, &row, 1);
  }
  jpeg_finish_decompress(&decoder.state);
  return true;
}

}  // namespace

Image decode_jpeg(std::string_view bytes, const std::string& name) {
  Decoder decoder;
  const auto refuse_jpeg = [&] {
    refuse(name, fmt::format("is a damaged or truncated JPEG ({}); fetch it again", decoder.message.data()));
  };
  if (!read_header(decoder, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size())) refuse_jpeg();
  Image image{decoder.state.image_height,
              decoder.state.image_width,
              decoder.state.out_color_space == JCS_GRAYSCALE ? 1U : 3U,
              {}};
  if (image.columns == 0 || image.rows > most_pixels / image.columns) {
    refuse(name, fmt::format("has {} x {} pixels where at most {} are read; make it smaller", image.rows, image.columns,
                             most_pixels));
  }
  const std::size_t stride = image.columns * image.channels;
  // Before memory is taken, here and in libjpeg, for what a header says.
  if (image.rows * stride / most_values_per_byte > bytes.size())
    refuse(name, fmt::format("has {} x {} pixels in {} bytes, more than a photograph has; fetch it again", image.rows,
                             image.columns, bytes.size()));
  image.pixels.resize(image.rows * stride);
  if (!read_pixels(decoder, image.pixels.data(), stride)) refuse_jpeg();
  return image;
}

}  // namespace attest::data
