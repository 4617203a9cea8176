#include "kernels/parallel/blocks.hpp"

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace attest::parallel {
namespace {

TEST(ForEachBlock, runs_every_block_exactly_once_for_any_number_of_threads) {
  for (const unsigned threads : {0U, 1U, 2U, 7U, 64U}) {
    std::vector<int> runs(101, 0);
    for_each_block(101, threads, [&](std::int64_t block) { ++runs[static_cast<std::size_t>(block)]; });
    EXPECT_EQ(runs, std::vector<int>(101, 1)) << threads << " threads";
  }
}

TEST(ForEachBlock, does_nothing_for_no_blocks) {
  for_each_block(0, 4, [](std::int64_t) { FAIL() << "a block ran"; });
}

TEST(ForEachBlock, rethrows_the_exception_of_a_failing_block) {
  EXPECT_THROW(for_each_block(50, 3,
                              [](std::int64_t block) {
                                if (block == 20) throw std::runtime_error("block 20");
                              }),
               std::runtime_error);
}

}  // namespace
}  // namespace attest::parallel
