#include "simulations/data/files/bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/files/whole_file.hpp"
#include "simulations/data/files/malformed_data.hpp"
#include "tests/simulations/scratch_folder.hpp"

namespace attest::data {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string refusal(const std::filesystem::path& file) {
  return message_of<MalformedData>([&] { read_bytes(file); });
}

TEST(ReadBytes, gives_plain_bytes_as_they_are) {
  const ScratchFolder scratch;
  const std::string bytes("a\0b\r\n\xff", 6);
  EXPECT_EQ(read_bytes(scratch.write("plain", bytes)), bytes);
  EXPECT_EQ(read_bytes(scratch.write("empty", "")), "");
}

TEST(ReadBytes, decompresses_gzip_whatever_the_name_and_all_members) {
  const ScratchFolder scratch;
  const std::string long_text(300000, 'x');
  EXPECT_EQ(read_bytes(scratch.write_gzip("one.gz", long_text)), long_text);
  const std::string member = content_of(scratch.write_gzip("member", "abc"));
  EXPECT_EQ(read_bytes(scratch.write("two", member + member)), "abcabc");
}

TEST(ReadBytes, refuses_a_gzip_file_cut_anywhere) {
  const ScratchFolder scratch;
  const std::string whole = content_of(scratch.write_gzip("whole.gz", "some words, and some more words"));
  for (std::size_t length = 2; length < whole.size(); ++length) {
    EXPECT_THAT(refusal(scratch.write("cut.gz", whole.substr(0, length))),
                AllOf(HasSubstr("cut.gz"), HasSubstr("offset")))
        << length << " bytes kept";
  }
}

TEST(ReadBytes, refuses_a_damaged_stream_and_foreign_bytes_after_it) {
  const ScratchFolder scratch;
  std::string whole = content_of(scratch.write_gzip("whole.gz", std::string(1000, 'a') + "b"));
  EXPECT_THAT(refusal(scratch.write("tail.gz", whole + "tail")), AllOf(HasSubstr("tail.gz"), HasSubstr("offset")));
  whole[whole.size() - 6] = static_cast<char>(whole[whole.size() - 6] ^ 1);  // the check sum
  EXPECT_THAT(refusal(scratch.write("bad.gz", whole)), AllOf(HasSubstr("bad.gz"), HasSubstr("damaged")));
}

TEST(ReadBytes, names_a_missing_file_and_a_folder) {
  const ScratchFolder scratch;
  const auto unreadable = [](const std::filesystem::path& file) {
    return message_of<files::UnreadableFile>([&] { read_bytes(file); });
  };
  EXPECT_THAT(unreadable(scratch.path() / "absent"), AllOf(HasSubstr("absent"), HasSubstr("No such file")));
  EXPECT_THAT(unreadable(scratch.path()), HasSubstr("folder"));
}

}  // namespace
}  // namespace attest::data
