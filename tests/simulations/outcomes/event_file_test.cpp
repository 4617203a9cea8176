#include "simulations/outcomes/event_file.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"

namespace attest::outcomes {
namespace {

using test_support::content_of;
using test_support::ScratchFolder;

std::string unhex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  return bytes;
}

TEST(Crc32c, has_the_published_values) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);            // the check value of the catalogue of parametrised CRCs
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(ScalarEvent, is_the_protocol_buffer_written_out_by_hand) {
  // wall_time 1.0 | step 300 | summary{ value{ tag "ab", simple_value 0.5 } }
  EXPECT_EQ(scalar_event(1.0, 300, "ab", 0.5F), unhex("09000000000000f03f"
                                                      "10ac02"
                                                      "2a0b0a090a026162150000003f"));
  EXPECT_EQ(version_event(0), unhex("090000000000000000"
                                    "1a0d") +
                                  "brain.Event:2");
}

TEST(TfRecord, frames_data_between_checksums) {
  const std::string record = tf_record("data");
  ASSERT_EQ(record.size(), 8U + 4 + 4 + 4);
  EXPECT_EQ(record.substr(0, 8), std::string("\4\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(record.substr(12, 4), "data");
}

/// How many whole records of how many bytes; independent of the reader under test.
std::vector<std::size_t> record_sizes(const std::string& bytes) {
  std::vector<std::size_t> sizes;
  for (std::size_t at = 0; at < bytes.size();) {
    sizes.push_back(static_cast<unsigned char>(bytes[at]));
    at += 16 + sizes.back();
  }
  return sizes;
}

TEST(EventFile, goes_on_behind_a_step_and_drops_what_was_cut_off) {
  const ScratchFolder folder;
  const auto file = folder.path() / "events.out.tfevents.attest";
  {
    EventFile events(folder.path(), 0);
    events.add({{10, "loss", 1.5}, {20, "loss", 1.25}});
    events.add({{30, "loss", 1}});
  }
  const std::string whole = content_of(file);
  ASSERT_EQ(record_sizes(whole).size(), 4U);
  folder.write(file.filename().string(), whole.substr(0, whole.size() - 3));
  const EventFile resumed(folder.path(), 20);
  EXPECT_EQ(content_of(file), whole.substr(0, content_of(file).size()));
  EXPECT_EQ(record_sizes(content_of(file)).size(), 3U);
  const EventFile earlier(folder.path(), 10);
  EXPECT_EQ(record_sizes(content_of(file)).size(), 2U);
}

TEST(EventFile, starts_anew_where_the_file_is_none) {
  const ScratchFolder folder;
  folder.write("events.out.tfevents.attest", "something else altogether");
  const EventFile events(folder.path(), 5);
  EXPECT_EQ(record_sizes(content_of(folder.path() / "events.out.tfevents.attest")).size(), 1U);
}

}  // namespace
}  // namespace attest::outcomes
