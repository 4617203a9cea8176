#include "kernels/files/whole_file.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"

namespace attest::files {
namespace {

std::string complaint(const std::filesystem::path& file) {
  return test_support::message_of<UnreadableFile>([&] { read_whole(file); });
}

TEST(WholeFile, has_every_byte) {
  const test_support::ScratchFolder folder;
  const std::string bytes = std::string("\0\r\n\xff", 4) + std::string(200'000, 'x');
  EXPECT_EQ(read_whole(folder.write("file", bytes)), bytes);
}

TEST(WholeFile, refuses_what_is_not_there_folders_and_devices_by_name) {
  EXPECT_EQ(complaint("nowhere/file"),
            "cannot read nowhere/file: No such file or directory; check the path and its permissions");
  EXPECT_NE(complaint(std::filesystem::temp_directory_path()).find("is a folder"), std::string::npos);
  for (const char* endless : {"/dev/zero", "/dev/full"})
    EXPECT_NE(complaint(endless).find(std::string(endless) + ": it is a device"), std::string::npos)
        << complaint(endless);
  EXPECT_EQ(read_whole("/dev/null"), "");
}

TEST(WholeFile, names_the_file_beside_it_that_was_probably_meant) {
  const test_support::ScratchFolder folder;
  folder.write("bound.attest", "");
  const std::filesystem::path path = folder.write("spec.toml", "").parent_path();
  EXPECT_NE(complaint(path / "boud.attest").find("did you mean " + (path / "bound.attest").string() + "?"),
            std::string::npos);
  EXPECT_EQ(complaint(path / "results.json").find("did you mean"), std::string::npos);
  std::filesystem::create_symlink(path / "nowhere", path / "link");
  EXPECT_EQ(complaint(path / "link").find("did you mean"), std::string::npos) << "a link does not mean itself";
}

}  // namespace
}  // namespace attest::files
