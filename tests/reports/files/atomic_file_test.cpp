#include "reports/files/atomic_file.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "reports/files/malformed_results.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

using test_support::content_of;
using test_support::message_of;
using test_support::ScratchFolder;
using testing::AllOf;
using testing::HasSubstr;

int files_in(const std::filesystem::path& directory) {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator(directory), {}));
}

TEST(WriteFileAtomically, makes_missing_directories_and_replaces_what_was_there) {
  const ScratchFolder folder;
  const auto file = folder.path() / "a" / "b" / "report.html";
  write_file_atomically(file, "first and longer");
  write_file_atomically(file, "second");
  EXPECT_EQ(content_of(file), "second");
  EXPECT_EQ(files_in(file.parent_path()), 1) << "a temporary file was left behind";
}

TEST(WriteFileAtomically, names_the_file_and_the_fix_when_the_directory_cannot_hold_it) {
  const ScratchFolder folder;
  folder.write("taken", "a file where a folder is wanted");
  const auto message =
      message_of<IoError>([&] { write_file_atomically(folder.path() / "taken" / "report.html", "text"); });
  EXPECT_THAT(message, AllOf(HasSubstr("taken/report.html"), HasSubstr(std::strerror(ENOTDIR)),
                             HasSubstr("choose another folder")));
}

TEST(WriteFileAtomically, keeps_the_old_content_when_the_disk_does_not_take_the_new) {
  const ScratchFolder folder;
  const auto file = folder.write("results.json", "old");
  // A limit on the size of files stands in for a full disk.
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limited = before;
  limited.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
  const auto message = message_of<IoError>([&] { write_file_atomically(file, std::string(5000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, previous);
  EXPECT_THAT(message, AllOf(HasSubstr("results.json"), HasSubstr("too large")));
  EXPECT_EQ(content_of(file), "old");
  EXPECT_EQ(files_in(folder.path()), 1) << "a temporary file was left behind";
}

TEST(WriteFileAtomically, leaves_a_device_a_device) {
  write_file_atomically("/dev/null", "text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THAT(message_of<IoError>([] { write_file_atomically("/dev/full", "text"); }),
              AllOf(HasSubstr("/dev/full"), HasSubstr("No space left")));
}

TEST(WriteFileAtomically, keeps_the_name_of_standard_output_where_that_leads_to_a_file) {
  const ScratchFolder folder;
  const auto file = folder.write("said.txt", "before ");
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(descriptor, 0);
  const std::string name = "/dev/fd/" + std::to_string(descriptor);
  require_writable(name);
  write_file_atomically(name, "and after");
  ::close(descriptor);
  EXPECT_EQ(content_of(file), "before and after") << "as any program that prints there";
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(WriteFileAtomically, writes_where_a_symbolic_link_leads) {
  const ScratchFolder folder;
  const auto file = folder.write("kept/results.json", "old");
  std::filesystem::create_symlink("kept/results.json", folder.path() / "link.json");
  write_file_atomically(folder.path() / "link.json", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link.json"));
  EXPECT_EQ(content_of(file), "new");
  EXPECT_EQ(files_in(folder.path() / "kept"), 1);
}

TEST(RequireWritable, leaves_nothing_and_refuses_a_folder) {
  const ScratchFolder folder;
  require_writable(folder.path() / "a" / "b.json");
  EXPECT_EQ(files_in(folder.path() / "a"), 0);
  EXPECT_THAT(message_of<IoError>([&] { require_writable(folder.path()); }),
              AllOf(HasSubstr(std::strerror(EISDIR)), HasSubstr("name a file in it")));
}

TEST(ReadWholeFile, names_a_file_that_is_not_there) {
  EXPECT_THAT(message_of<MalformedResults>([] { read_whole_file("no/such/results.json"); }),
              AllOf(HasSubstr("no/such/results.json"), HasSubstr("No such file")));
  EXPECT_THAT(message_of<MalformedResults>([] { read_whole_file("/"); }), HasSubstr("folder"));
  EXPECT_THAT(message_of<MalformedResults>([] { read_whole_file("/dev/zero"); }), HasSubstr("device"));
}

}  // namespace
}  // namespace attest::reports
