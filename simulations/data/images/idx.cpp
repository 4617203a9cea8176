#include "simulations/data/images/idx.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/core.h>

#include "simulations/data/files/bytes.hpp"
#include "simulations/data/files/malformed_data.hpp"

namespace attest::data {
namespace {

// The third byte of the magic is the element type (8: unsigned byte), the fourth the number of dimensions.
constexpr std::uint32_t images_magic = 0x00000803;
constexpr std::uint32_t labels_magic = 0x00000801;

std::uint32_t big_endian_word(std::string_view bytes, std::size_t offset) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = (word << 8U) | static_cast<std::uint8_t>(bytes[offset + i]);
  return word;
}

// Checks magic and length, and returns the dimensions.
std::vector<std::size_t> parse_header(std::string_view bytes, const std::string& name, std::uint32_t magic,
                                      const char* content) {
  const std::size_t dimensions = magic & 0xffU;
  const std::size_t header = 4 + 4 * dimensions;
  if (bytes.size() < 4) {
    throw MalformedData(
        fmt::format("{} is truncated: it ends at offset {}, inside the IDX magic; fetch it again", name, bytes.size()));
  }
  if (const std::uint32_t found = big_endian_word(bytes, 0); found != magic) {
    throw MalformedData(fmt::format("{} has magic 0x{:08x} at offset 0 where IDX {} have 0x{:08x}; name a file of {}",
                                    name, found, content, magic, content));
  }
  if (bytes.size() < header) {
    throw MalformedData(fmt::format("{} is truncated: it ends at offset {}, inside the IDX header; fetch it again",
                                    name, bytes.size()));
  }
  std::vector<std::size_t> sizes;
  std::size_t expected = 1;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::size_t offset = 4 + 4 * i;
    sizes.push_back(big_endian_word(bytes, offset));
    if (sizes.back() == 0) {
      throw MalformedData(
          fmt::format("{} has dimension {} equal to 0 at offset {}; name a file that holds data", name, i + 1, offset));
    }
    // Sizes are compared before they are multiplied, so that a damaged header cannot wrap around to a plausible
    // product.
    if (expected > bytes.size() / sizes.back() + 1) {
      expected = bytes.size() + 1;
      break;
    }
    expected *= sizes.back();
  }
  const std::size_t found = bytes.size() - header;
  if (found < expected) {
    throw MalformedData(
        fmt::format("{} is truncated: it ends at offset {} and its header promises more {}; fetch it again", name,
                    bytes.size(), content));
  }
  if (found > expected) {
    throw MalformedData(
        fmt::format("{} has {} bytes left over at offset {}, after the {} its header promises; fetch it again", name,
                    found - expected, header + expected, content));
  }
  return sizes;
}

}  // namespace

std::span<const std::uint8_t> IdxImages::image(std::size_t index) const {
  if (index >= count) throw std::out_of_range(fmt::format("image {} of {}; the last is {}", index, count, count - 1));
  const std::size_t size = rows * columns;
  return std::span(pixels).subspan(index * size, size);
}

PixelMoments pixel_moments(const IdxImages& images) {
  // Sums of bytes stay below 2^63, so mean and variance come out of exact integers.
  std::int64_t sum = 0;
  std::int64_t squares = 0;
  std::int64_t blank = 0;
  for (const std::uint8_t pixel : images.pixels) {
    sum += pixel;
    squares += std::int64_t{pixel} * pixel;
    blank += pixel == 0 ? 1 : 0;
  }
  const auto n = static_cast<double>(images.pixels.size());
  const double mean = static_cast<double>(sum) / n;
  // Rounding can leave a negative zero where all pixels are equal.
  const double variance = std::max(0.0, static_cast<double>(squares) / n - mean * mean);
  return {mean / 255, std::sqrt(variance) / 255, static_cast<double>(blank) / n};
}

IdxImages parse_idx_images(std::string_view bytes, const std::string& name) {
  const std::vector<std::size_t> sizes = parse_header(bytes, name, images_magic, "images");
  constexpr std::size_t header = 16;
  return {sizes[0], sizes[1], sizes[2], std::vector<std::uint8_t>(bytes.begin() + header, bytes.end())};
}

IdxImages read_idx_images(const std::filesystem::path& path) {
  return parse_idx_images(read_bytes(path), path.string());
}

std::vector<std::uint8_t> read_idx_labels(const std::filesystem::path& path, std::size_t expected_count,
                                          std::size_t classes) {
  const std::string bytes = read_bytes(path);
  const std::size_t count = parse_header(bytes, path.string(), labels_magic, "labels").front();
  if (count != expected_count) {
    throw MalformedData(
        fmt::format("{} holds {} labels (offset 4) where {} images need one each; name the matching file",
                    path.string(), count, expected_count));
  }
  constexpr std::ptrdiff_t header = 8;
  for (std::size_t i = 0; i < count; ++i) {
    const auto label = static_cast<std::uint8_t>(bytes[header + i]);
    if (label >= classes) {
      throw MalformedData(
          fmt::format("{}, record {}: label {} where there are {} classes; fetch the file again or name the right one",
                      path.string(), i, label, classes));
    }
  }
  return {bytes.begin() + header, bytes.end()};
}

bool is_idx_images(std::string_view bytes) { return bytes.size() >= 4 && big_endian_word(bytes, 0) == images_magic; }

}  // namespace attest::data
