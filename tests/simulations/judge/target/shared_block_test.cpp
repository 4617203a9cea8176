#include "simulations/judge/target/shared_block.hpp"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace attest::judge {
namespace {

TEST(SharedBlock, HoldsWhatEitherSideWrites) {
  SharedBlock block;
  block.write(0, "queries");
  block.write(7, " and keys");
  EXPECT_EQ(block.read(16), "queries and keys");
  // The other side knows the descriptor alone, and may make it longer.
  const std::string longer(100000, 'v');
  ASSERT_EQ(pwrite(block.descriptor(), longer.data(), longer.size(), 0), static_cast<ssize_t>(longer.size()));
  EXPECT_EQ(block.read(longer.size()), longer);
}

TEST(SharedBlock, RefusesWhatIsNotThere) {
  SharedBlock block;
  EXPECT_EQ(block.read(0), "");
  block.write(0, "four");
  EXPECT_THROW(block.read(5), std::invalid_argument);
  EXPECT_NE(ftruncate(block.descriptor(), 1), 0) << "a shorter file would end whoever reads it";
}

}  // namespace
}  // namespace attest::judge
