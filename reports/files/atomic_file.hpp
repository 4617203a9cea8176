// Writing files so that a reader finds either the old content or the new, never half of it.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace attest::reports {

/// A file that cannot be written. `what()` is one sentence: the file, what the system said, and the fix.
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Replaces `file` by `content`: writes a temporary file beside it, forces it to disk and renames it.
/// Missing parent directories are made. On failure `file` is as it was and the temporary file is gone. A device or pipe
/// stays one, and is written to; so is what standard output leads to where `file` is /dev/stdout, and the file that a
/// symbolic link leads to. Errors: IoError.
void write_file_atomically(const std::filesystem::path& file, std::string_view content);

/// Shows, before anything is computed for it, that `file` can be written: makes its parent directories and a temporary
/// file beside it, which is gone afterwards. Errors: IoError.
void require_writable(const std::filesystem::path& file);

/// The content of `file`. Errors: MalformedResults for what is not there, not to be read, a folder or a device.
std::string read_whole_file(const std::filesystem::path& file);

}  // namespace attest::reports
