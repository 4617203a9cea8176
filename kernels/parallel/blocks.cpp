#include "kernels/parallel/blocks.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include "kernels/parallel/worker_pool.hpp"

namespace attest::parallel {

unsigned hardware_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

void for_each_block(std::int64_t blocks, unsigned threads, const std::function<void(std::int64_t)>& body) {
  if (threads == 0) threads = hardware_threads();
  const auto workers = static_cast<unsigned>(std::clamp<std::int64_t>(blocks, 0, threads));
  if (workers <= 1) {
    for (std::int64_t block = 0; block < blocks; ++block) body(block);
    return;
  }
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex failure_mutex;
  std::exception_ptr failure;
  std::int64_t failed_block = std::numeric_limits<std::int64_t>::max();
  const auto work = [&] {
    while (!failed.load(std::memory_order_relaxed)) {
      const std::int64_t block = next.fetch_add(1);
      if (block >= blocks) return;
      try {
        body(block);
      } catch (...) {
        const std::scoped_lock lock(failure_mutex);
        failed = true;
        // Two blocks can fail at once: the lower one is reported, so that the message does not depend on timing alone.
        if (block < failed_block) {
          failed_block = block;
          failure = std::current_exception();
        }
      }
    }
  };
  run_together(workers - 1, work);
  if (failure) std::rethrow_exception(failure);
}

void for_each_block_in_runs(std::int64_t blocks, unsigned threads, const std::function<void(std::int64_t)>& body) {
  if (threads == 0) threads = hardware_threads();
  const std::int64_t run = std::clamp<std::int64_t>(blocks / (8 * std::int64_t{threads}), 1, 16);
  for_each_block((blocks + run - 1) / run, threads, [&](std::int64_t first) {
    const std::int64_t end = std::min(blocks, (first + 1) * run);
    for (std::int64_t block = first * run; block < end; ++block) body(block);
  });
}

}  // namespace attest::parallel
