// What a verb may write to: asked of the command line, before anything is computed for it.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace attest::commands {

/// A validator of options that name a file: a folder is none.
inline std::string names_no_folder(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(file, ignored)) return {};
  return fmt::format("{} names a folder; name a file", file);
}

/// For what is written to begin with, and changed by its reader: never over a file that is there.
/// Errors: std::invalid_argument.
inline void require_new(const std::filesystem::path& file) {
  if (std::filesystem::exists(file))
    throw std::invalid_argument(fmt::format("{}: the file exists already; name another, or remove it", file.string()));
}

}  // namespace attest::commands
