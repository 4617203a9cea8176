// A folder for what other programs are given and leave, which goes with its owner.
#pragma once

#include <filesystem>
#include <string_view>

namespace attest::reports {

/// A folder that nobody else has, below TMPDIR or where the system keeps what is temporary; removed with all that is
/// in it.
class TemporaryFolder {
 public:
  /// Named `attest-USE-` and six random letters. Errors: `IoError` naming the place and the fix.
  explicit TemporaryFolder(std::string_view use);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace attest::reports
