#include "kernels/parallel/worker_pool.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace attest::parallel {
namespace {

/// How often an item of a shared list of 1000 was taken, when `helpers` help to take them.
int items_taken(unsigned helpers) {
  std::atomic<int> next{0}, taken{0};
  run_together(helpers, [&] {
    while (next.fetch_add(1) < 1000) ++taken;
  });
  return taken;
}

TEST(WorkerPool, does_all_the_work_for_any_number_of_helpers_again_and_again) {
  for (const unsigned helpers : {1U, 3U, 1U, 12U, 0U})
    for (int again = 0; again < 50; ++again) ASSERT_EQ(items_taken(helpers), 1000) << helpers << " helpers";
}

TEST(WorkerPool, lets_work_ask_for_help_itself) {
  std::atomic<int> next{0}, taken{0};
  run_together(2, [&] {
    while (next.fetch_add(1) < 10) taken += items_taken(2);
  });
  EXPECT_EQ(taken, 10'000);
}

TEST(WorkerPool, serves_several_threads_at_once) {
  std::atomic<int> taken{0};
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < 4; ++i) callers.emplace_back([&] { taken += items_taken(2); });
  }
  EXPECT_EQ(taken, 4000);
}

}  // namespace
}  // namespace attest::parallel
