#include "kernels/parallel/blocks.hpp"

#include <stdexcept>
#include <thread>
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

TEST(ForEachBlockInRuns, runs_every_block_exactly_once_for_any_number_of_blocks_and_threads) {
  for (const std::int64_t blocks : {0, 1, 15, 16, 17, 100, 255, 256, 1001})
    for (const unsigned threads : {0U, 1U, 2U, 7U, 64U}) {
      std::vector<int> runs(static_cast<std::size_t>(blocks), 0);
      for_each_block_in_runs(blocks, threads, [&](std::int64_t block) { ++runs[static_cast<std::size_t>(block)]; });
      EXPECT_EQ(runs, std::vector<int>(static_cast<std::size_t>(blocks), 1)) << blocks << ", " << threads << " threads";
    }
}

TEST(ForEachBlockInRuns, gives_neighbours_to_one_thread) {
  std::vector<std::thread::id> by(256);
  for_each_block_in_runs(256, 2,
                         [&](std::int64_t block) { by[static_cast<std::size_t>(block)] = std::this_thread::get_id(); });
  for (std::size_t block = 0; block < by.size(); ++block) EXPECT_EQ(by[block], by[block / 16 * 16]) << block;
}

TEST(ForEachBlockInRuns, rethrows_the_exception_of_the_first_block_that_fails) {
  const auto fails = [](std::int64_t block) {
    if (block == 4 || block == 6) throw std::runtime_error(block == 4 ? "block 4" : "block 6");
  };
  EXPECT_THROW(
      try { for_each_block_in_runs(160, 2, fails); } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "block 4");
        throw;
      },
      std::runtime_error);
}

}  // namespace
}  // namespace attest::parallel
