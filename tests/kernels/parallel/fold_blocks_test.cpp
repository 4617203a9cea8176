#include "kernels/parallel/fold_blocks.hpp"

#include <string>

#include <gtest/gtest.h>

namespace attest::parallel {
namespace {

TEST(FoldBlocks, hands_on_every_part_in_order_for_any_number_of_threads_and_kept_parts) {
  std::string expected;
  for (int i = 0; i < 101; ++i) expected += std::to_string(i) + ' ';
  for (const unsigned threads : {1U, 2U, 7U})
    for (const std::int64_t kept : {1, 3, 100, 1000}) {
      std::string seen;
      fold_blocks<std::string>(
          101, threads, kept, [](std::int64_t block) { return std::to_string(block) + ' '; },
          [&](const std::string& part) { seen += part; });
      EXPECT_EQ(seen, expected) << threads << " threads, " << kept << " kept";
    }
}

TEST(FoldBlocks, does_nothing_for_no_blocks) {
  fold_blocks<int>(
      0, 2, 8, [](std::int64_t) { return 1; }, [](int) { FAIL() << "a part was handed on"; });
}

}  // namespace
}  // namespace attest::parallel
