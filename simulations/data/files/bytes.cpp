#include "simulations/data/files/bytes.hpp"

#include <array>
#include <stdexcept>

#include <fmt/core.h>
#include <zlib.h>

#include "kernels/files/whole_file.hpp"
#include "simulations/data/files/malformed_data.hpp"

namespace attest::data {
namespace {

constexpr std::size_t largest_size = std::size_t{1}
                                     << 30U;  // larger than every data set read whole, smaller than memory

std::string read_plain(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > largest_size)
    throw MalformedData(fmt::format("{} is larger than 1 GiB; cut it into smaller files", path.string()));
  return files::read_whole(path);
}

// zlib's state, ended on every way out.
struct Inflater {
  z_stream stream{};
  Inflater() {
    constexpr int gzip_window_bits = 15 + 16;  // the largest window, gzip framing only
    if (inflateInit2(&stream, gzip_window_bits) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream); }
};

bool begins_as_gzip(const std::string& bytes, std::size_t offset) {
  return bytes.size() >= offset + 2 && bytes[offset] == '\x1f' && bytes[offset + 1] == '\x8b';
}

std::string decompress(const std::string& bytes, const std::string& name) {
  std::string result;
  std::array<char, 1U << 16U> buffer{};
  std::size_t offset = 0;
  while (offset < bytes.size()) {
    if (!begins_as_gzip(bytes, offset)) {
      throw MalformedData(fmt::format(
          "{} has bytes that are not gzip after its compressed data, at offset {}; fetch it again", name, offset));
    }
    Inflater inflater;
    z_stream& stream = inflater.stream;
    std::string member = bytes.substr(offset);
    stream.next_in = reinterpret_cast<Bytef*>(member.data());
    stream.avail_in = static_cast<uInt>(member.size());
    int status = Z_OK;
    while (status == Z_OK) {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      status = inflate(&stream, Z_NO_FLUSH);
      result.append(buffer.data(), buffer.size() - stream.avail_out);
      if (result.size() > largest_size) {
        throw MalformedData(fmt::format("{} holds more than 1 GiB; cut it into smaller files", name));
      }
    }
    const std::size_t place = offset + stream.total_in;
    if (status == Z_BUF_ERROR) {
      throw MalformedData(
          fmt::format("{} is truncated: its gzip stream has no end at offset {}; fetch it again", name, place));
    }
    if (status != Z_STREAM_END) {
      throw MalformedData(fmt::format("{} is damaged near offset {} ({}); fetch it again", name, place,
                                      stream.msg != nullptr ? stream.msg : "invalid gzip data"));
    }
    offset = place;
  }
  return result;
}

}  // namespace

std::string read_bytes(const std::filesystem::path& path) {
  std::string bytes = read_plain(path);
  return begins_as_gzip(bytes, 0) ? decompress(bytes, path.string()) : bytes;
}

}  // namespace attest::data
