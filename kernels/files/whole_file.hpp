// Files read whole into memory: what a user names is read here, so that what cannot be read is refused in one way.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace attest::files {

/// A file that is not there, not to be read, or not a file. `what()` is one sentence: the file, why, and the fix.
struct UnreadableFile : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Errors: UnreadableFile for a folder, and for a device other than a terminal and /dev/null: /dev/zero and its like
/// have no end. Pipes and what is not there pass.
void require_an_end(const std::filesystem::path& file);

/// The bytes of `file`; of a pipe or a terminal, until it ends. Errors: UnreadableFile; std::bad_alloc where the file
/// is larger than memory.
std::string read_whole(const std::filesystem::path& file);

}  // namespace attest::files
