#include "kernels/digest/seal.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "kernels/digest/sha256.hpp"

namespace attest::digest {
namespace {

TEST(Sealed, ends_in_the_digest_of_all_before_it) {
  EXPECT_EQ(sealed("{\"a\": 1}\n"), "{\"a\": 1,\n \"digest\": \"" + sha256("{\"a\": 1") + "\"\n}\n");
  EXPECT_EQ(seal_of(sealed("{\"a\": 1}")), Seal::holds);
}

TEST(Sealed, breaks_with_any_byte) {
  const std::string text = sealed("{\"a\": [1, 2.5],\n \"b\": \"two\"}");
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = changed[i] == 'x' ? 'y' : 'x';
    EXPECT_NE(seal_of(changed), Seal::holds) << i;
    EXPECT_NE(seal_of(text.substr(0, i)), Seal::holds) << i;
  }
  EXPECT_EQ(seal_of("{\"a\": 1}"), Seal::absent);
}

TEST(Sealed, is_for_objects) {
  EXPECT_THROW(sealed("[1]"), std::invalid_argument);
  EXPECT_THROW(sealed(""), std::invalid_argument);
}

}  // namespace
}  // namespace attest::digest
