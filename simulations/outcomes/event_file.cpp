#include "simulations/outcomes/event_file.hpp"

#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include <boost/crc.hpp>
#include <fmt/format.h>

#include "kernels/files/whole_file.hpp"
#include "reports/files/atomic_file.hpp"

namespace attest::outcomes {
namespace {

/// An integer's bytes, little-endian.
template <typename Integer>
std::string bytes_of(Integer value) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(Integer); ++i)
    bytes += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  return bytes;
}

template <typename Integer>
Integer integer_at(std::string_view bytes) {
  Integer value = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i)
    value |= static_cast<Integer>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

// Protocol buffers: a field is its number and wire type as a varint, then its content.
enum WireType : std::uint64_t { varint = 0, fixed64 = 1, delimited = 2, fixed32 = 5 };

std::string encode_varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>((value & 0x7fU) | 0x80U);
  return bytes + static_cast<char>(value);
}

std::string key(std::uint64_t field, WireType type) { return encode_varint(field << 3U | type); }

std::string double_field(std::uint64_t field, double value) {
  return key(field, fixed64) + bytes_of(std::bit_cast<std::uint64_t>(value));
}

std::string float_field(std::uint64_t field, float value) {
  return key(field, fixed32) + bytes_of(std::bit_cast<std::uint32_t>(value));
}

std::string bytes_field(std::uint64_t field, std::string_view content) {
  return key(field, delimited) + encode_varint(content.size()) + std::string(content);
}

// tensorflow/core/util/event.proto and framework/summary.proto.
constexpr std::uint64_t event_wall_time = 1, event_step = 2, event_version = 3, event_summary = 5;
constexpr std::uint64_t summary_value = 1, value_tag = 1, value_simple = 2;

constexpr std::size_t header_bytes = 12, footer_bytes = 4;

/// The data of the first record, or nothing when it is cut off or damaged.
std::optional<std::string_view> first_record(std::string_view bytes) {
  if (bytes.size() < header_bytes) return std::nullopt;
  const auto length = integer_at<std::uint64_t>(bytes);
  if (integer_at<std::uint32_t>(bytes.substr(8)) != masked_crc32c(bytes.substr(0, 8))) return std::nullopt;
  if (bytes.size() - header_bytes < footer_bytes || length > bytes.size() - header_bytes - footer_bytes)
    return std::nullopt;
  const std::string_view data = bytes.substr(header_bytes, length);
  if (integer_at<std::uint32_t>(bytes.substr(header_bytes + length)) != masked_crc32c(data)) return std::nullopt;
  return data;
}

/// The step of an event that scalar_event wrote; 0 for the version's, which has none.
std::int64_t step_of(std::string_view event) {
  constexpr std::size_t behind_wall_time = 9;
  if (event.size() <= behind_wall_time || event.substr(behind_wall_time, 1) != key(event_step, varint)) return 0;
  std::uint64_t step = 0;
  for (std::size_t at = behind_wall_time + 1, shift = 0; at < event.size() && shift < 64; ++at, shift += 7) {
    const auto byte = static_cast<unsigned char>(event[at]);
    step |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) break;
  }
  return static_cast<std::int64_t>(step);
}

/// The whole records of a file's content with steps up to `step`.
std::string records_up_to(std::string_view content, std::int64_t step) {
  std::string kept;
  while (const auto data = first_record(content)) {
    const std::size_t size = header_bytes + data->size() + footer_bytes;
    if (step_of(*data) <= step) kept += content.substr(0, size);
    content.remove_prefix(size);
  }
  return kept;
}

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return static_cast<std::uint32_t>(crc.checksum());
}

std::uint32_t masked_crc32c(std::string_view bytes) { return std::rotr(crc32c(bytes), 15) + 0xa282ead8U; }

std::string tf_record(std::string_view data) {
  const std::string length = bytes_of(static_cast<std::uint64_t>(data.size()));
  return length + bytes_of(masked_crc32c(length)) + std::string(data) + bytes_of(masked_crc32c(data));
}

std::string version_event(double wall_time) {
  return double_field(event_wall_time, wall_time) + bytes_field(event_version, "brain.Event:2");
}

std::string scalar_event(double wall_time, std::int64_t step, std::string_view tag, float value) {
  const std::string scalar = bytes_field(value_tag, tag) + float_field(value_simple, value);
  return double_field(event_wall_time, wall_time) + key(event_step, varint) +
         encode_varint(static_cast<std::uint64_t>(step)) +
         bytes_field(event_summary, bytes_field(summary_value, scalar));
}

EventFile::EventFile(const std::filesystem::path& directory, std::int64_t step)
    : file_(directory / "events.out.tfevents.attest") {
  std::string kept;
  if (std::filesystem::exists(file_)) kept = records_up_to(files::read_whole(file_), step);
  if (kept.empty()) kept = tf_record(version_event(now()));
  reports::write_file_atomically(file_, kept);
}

void EventFile::add(const std::vector<journal::Measurement>& measurements) {
  const double wall_time = now();
  std::string bytes;
  for (const journal::Measurement& one : measurements)
    bytes += tf_record(scalar_event(wall_time, one.step, one.metric, static_cast<float>(one.value)));
  append(bytes);
}

void EventFile::append(const std::string& bytes) {
  if (bytes.empty()) return;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file_.c_str(), "ab"), &std::fclose);
  const bool written = stream != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), stream.get()) == bytes.size() &&
                       std::fflush(stream.get()) == 0;
  if (!written)
    throw reports::IoError(
        fmt::format("cannot write {}: {}; make room and continue with --resume", file_.string(), std::strerror(errno)));
}

}  // namespace attest::outcomes
