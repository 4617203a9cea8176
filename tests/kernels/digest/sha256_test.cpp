#include "kernels/digest/sha256.hpp"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"

namespace attest::digest {
namespace {

// FIPS 180-2, B.1 and B.3, and what no bytes at all give.
constexpr const char* of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* of_a_million_a = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

TEST(Sha256, gives_the_standards_examples) {
  EXPECT_EQ(sha256("abc"), of_abc);
  EXPECT_EQ(sha256(""), of_nothing);
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), of_a_million_a);
}

TEST(Sha256, of_a_file_is_that_of_its_bytes) {
  const test_support::ScratchFolder folder;
  EXPECT_EQ(sha256_of_file(folder.write("bytes", std::string(1'000'000, 'a'))), of_a_million_a);
  EXPECT_EQ(sha256_of_file(folder.write("empty", "")), of_nothing);
  EXPECT_THROW(sha256_of_file(folder.path() / "absent"), std::runtime_error);
}

}  // namespace
}  // namespace attest::digest
