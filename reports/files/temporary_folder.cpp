#include "reports/files/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "reports/files/atomic_file.hpp"

namespace attest::reports {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(std::string_view use) {
  std::error_code error;
  const fs::path place = fs::temp_directory_path(error);
  std::string name = (place / fmt::format("attest-{}-XXXXXX", use)).string();
  if (!error && ::mkdtemp(name.data()) == nullptr) error = {errno, std::generic_category()};
  if (error)
    throw IoError(fmt::format("cannot make a temporary folder in {}: {}; set TMPDIR to a folder with room",
                              place.empty() ? "TMPDIR" : place.string(), error.message()));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace attest::reports
