// TensorBoard's event files: metrics of a run as any TensorBoard shows them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "simulations/journal/run_record.hpp"

namespace attest::outcomes {

/// CRC-32C (Castagnoli; RFC 3720, B.4), and the same as records of TensorFlow hold it: rotated right by 15 bits, plus
/// 0xa282ead8, so that a checksum of data with checksums in it stays one.
std::uint32_t crc32c(std::string_view bytes);
std::uint32_t masked_crc32c(std::string_view bytes);

/// One record: length (8 bytes, little-endian), its masked checksum, the data, its masked checksum.
std::string tf_record(std::string_view data);

/// The message tensorflow.Event with a wall time in seconds since 1970, and either the file's version or the scalar
/// `value` called `tag` at `step`.
std::string version_event(double wall_time);
std::string scalar_event(double wall_time, std::int64_t step, std::string_view tag, float value);

/// One run's event file. A run that goes on from a checkpoint takes its metrics up again at an earlier step: what the
/// file has beyond it is dropped, and so is a last record that was cut off.
class EventFile {
 public:
  /// Opens `directory`/events.out.tfevents.attest, keeping events up to `step`. Errors: reports::IoError.
  EventFile(const std::filesystem::path& directory, std::int64_t step);

  /// Appends the measurements at the present time. Errors: reports::IoError.
  void add(const std::vector<journal::Measurement>& measurements);

 private:
  void append(const std::string& bytes);

  std::filesystem::path file_;
};

}  // namespace attest::outcomes
