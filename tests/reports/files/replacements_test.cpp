#include "reports/files/replacements.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "reports/files/atomic_file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

namespace fs = std::filesystem;
using test_support::ScratchFolder;

bool holds_temporary_files(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().find(".tmp-") != std::string::npos) return true;
  return false;
}

/// Ends the program while two threads write: 0 where no temporary file is left, and none comes.
[[noreturn]] void end_while_threads_write(const fs::path& folder) {
  for (const char* name : {"a", "b"})
    std::thread([file = folder / name] {
      while (true) write_file_atomically(file, std::string(1 << 20, 'x'));
    }).detach();
  while (!fs::exists(folder / "a") || !fs::exists(folder / "b")) std::this_thread::yield();
  stop_replacements(std::chrono::minutes(1));
  const bool left = holds_temporary_files(folder);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::_Exit(left || holds_temporary_files(folder) ? 1 : 0);
}

TEST(StopReplacements, leaves_no_temporary_file_of_threads_that_write) {
  const ScratchFolder folder;
  EXPECT_EXIT(end_while_threads_write(folder.path()), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace attest::reports
