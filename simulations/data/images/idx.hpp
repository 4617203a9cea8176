// IDX files: the format of MNIST, Fashion-MNIST and their kin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest::data {

/// Grey images, `count` of `rows` x `columns` pixels in 0..255, row by row, image after image.
struct IdxImages {
  std::size_t count = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint8_t> pixels;

  /// The pixels of image `index`, row-major. Errors: std::out_of_range when index >= count.
  std::span<const std::uint8_t> image(std::size_t index) const;
};

/// Mean and standard deviation of all pixels as value/255, and the share of pixels that are 0.
struct PixelMoments {
  double mean = 0;
  double deviation = 0;
  double blank_share = 0;
};
PixelMoments pixel_moments(const IdxImages& images);

/// Reads IDX images (unsigned bytes, three dimensions: magic 0x00000803), plain or gzip-compressed.
/// Errors: MalformedData naming the file, the offset and the fix when the magic is another, a dimension is zero,
/// the file is truncated, or bytes are left over.
IdxImages read_idx_images(const std::filesystem::path& path);

/// The same from bytes already read; `name` stands for the file in messages.
IdxImages parse_idx_images(std::string_view bytes, const std::string& name);

/// Reads IDX labels (unsigned bytes, one dimension: magic 0x00000801), plain or gzip-compressed.
/// Errors: as read_idx_images; also when the number of labels is not `expected_count`, or one is not below `classes`
/// (its record is named).
std::vector<std::uint8_t> read_idx_labels(const std::filesystem::path& path, std::size_t expected_count,
                                          std::size_t classes = 10);

/// Whether the bytes begin with the magic of IDX images.
bool is_idx_images(std::string_view bytes);

}  // namespace attest::data
