#include "simulations/data/catalogue/downloads.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/data/catalogue/fetch.hpp"
#include "tests/simulations/scratch_folder.hpp"

namespace attest::data {
namespace {

TEST(Downloads, have_an_address_a_name_of_their_own_and_a_whole_digest_with_its_source_or_none) {
  for (const DataSet& entry : catalogue()) {
    std::set<std::string> files;
    for (const Download& download : downloads_of(entry.name)) {
      EXPECT_TRUE(download.url.starts_with("http")) << download.url;
      EXPECT_TRUE(download.url.ends_with("/" + download.file)) << download.url;
      EXPECT_TRUE(files.insert(download.file).second) << download.file;
      EXPECT_EQ(download.sha256.empty(), download.sha256_source.empty()) << download.file;
      const bool hexadecimal = std::all_of(download.sha256.begin(), download.sha256.end(),
                                           [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
      EXPECT_TRUE(hexadecimal && (download.sha256.empty() || download.sha256.size() == 64)) << download.file;
      EXPECT_FALSE(entry.folders.empty()) << entry.name;
    }
  }
  EXPECT_EQ(downloads_of("mnist").size(), 4U);
  EXPECT_TRUE(downloads_of("listops-generated").empty());
}

TEST(Fetch, keeps_a_file_that_is_there_unless_its_digest_is_another) {
  const ScratchFolder scratch;
  const auto file = scratch.write("abc", "abc");
  // Nothing listens on port 1: a request would fail.
  const Fetched kept = fetch_file({"http://127.0.0.1:1/abc", "abc", "", ""}, scratch.path(), {});
  EXPECT_TRUE(kept.was_there);
  EXPECT_EQ(kept.bytes, 3U);
  const Download other{"http://127.0.0.1:1/abc", "abc", std::string(64, '0'), "nobody"};
  EXPECT_NE(message_of<std::runtime_error>([&] { fetch_file(other, scratch.path(), {}); }).find("remove it"),
            std::string::npos);
  EXPECT_EQ(content_of(file), "abc");
}

TEST(Fetch, takes_a_part_that_is_whole_without_asking_again) {
  const ScratchFolder scratch;
  scratch.write("abc.part", "abc");
  const Download whole{"http://127.0.0.1:1/abc", "abc",
                       "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "FIPS 180-4"};
  EXPECT_FALSE(fetch_file(whole, scratch.path(), {}).was_there);
  EXPECT_EQ(content_of(scratch.path() / "abc"), "abc");
}

}  // namespace
}  // namespace attest::data
