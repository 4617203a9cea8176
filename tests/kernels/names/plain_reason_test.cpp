#include "kernels/names/plain_reason.hpp"

#include <gtest/gtest.h>

namespace attest::names {
namespace {

TEST(PlainReason, leaves_the_tag_of_the_library_out) {
  EXPECT_EQ(plain_reason("[json.exception.type_error.302] type must be string, but is number"),
            "type must be string, but is number");
}

TEST(PlainReason, keeps_other_words) {
  EXPECT_EQ(plain_reason("n is missing"), "n is missing");
  EXPECT_EQ(plain_reason("[json.exception.cut"), "[json.exception.cut");
  EXPECT_EQ(plain_reason(""), "");
}

}  // namespace
}  // namespace attest::names
