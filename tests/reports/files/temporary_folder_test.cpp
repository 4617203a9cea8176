#include "reports/files/temporary_folder.hpp"

#include <cstdlib>
#include <fstream>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/files/atomic_file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

namespace fs = std::filesystem;
using test_support::message_of;
using test_support::ScratchFolder;
using testing::HasSubstr;

/// TMPDIR while the test runs.
class Temporary {
 public:
  explicit Temporary(const fs::path& place) {
    if (const char* now = std::getenv("TMPDIR")) before_ = now;
    setenv("TMPDIR", place.c_str(), 1);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() { before_ ? setenv("TMPDIR", before_->c_str(), 1) : unsetenv("TMPDIR"); }

 private:
  std::optional<std::string> before_;
};

TEST(TemporaryFolder, is_of_its_own_and_goes_with_all_that_is_in_it) {
  const ScratchFolder place;
  const Temporary temporary(place.path());
  {
    const TemporaryFolder one("test"), other("test");
    EXPECT_NE(one.path(), other.path());
    EXPECT_EQ(one.path().parent_path(), place.path());
    EXPECT_THAT(one.path().filename().string(), testing::StartsWith("attest-test-"));
    std::ofstream(one.path() / "left") << "by another program";
  }
  EXPECT_TRUE(fs::is_empty(place.path()));
}

TEST(TemporaryFolder, that_cannot_be_made_names_the_fix) {
  const ScratchFolder place;
  const Temporary temporary(place.path() / "none");
  EXPECT_THAT(message_of<IoError>([] { TemporaryFolder("test"); }), HasSubstr("set TMPDIR to a folder with room"));
}

}  // namespace
}  // namespace attest::reports
