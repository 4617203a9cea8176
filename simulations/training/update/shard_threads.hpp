// Threads that live as long as a training.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace attest::training {

/// Does what parallel::for_each_block does, with two differences that matter where a block is a few milliseconds of
/// tensor operations: threads are kept (a new one would begin with an empty memory arena and fault in every page of
/// every step afresh), and block b always runs on thread b modulo their number, so that memory stays with its thread.
class ShardThreads {
 public:
  /// `threads` with the caller's own; at least 1.
  explicit ShardThreads(unsigned threads);
  ~ShardThreads();
  ShardThreads(const ShardThreads&) = delete;
  ShardThreads& operator=(const ShardThreads&) = delete;

  /// Calls body(block) for every block of 0..blocks-1. A body writes only what belongs to its block. To be called by
  /// one thread at a time. Errors: the exception of the lowest-numbered failing block, after all blocks have ended.
  void for_each(std::int64_t blocks, const std::function<void(std::int64_t)>& body);

 private:
  void serve(std::size_t thread);
  void run_blocks_of(std::size_t thread);

  std::mutex mutex_;
  std::condition_variable begun_, ended_;
  std::uint64_t round_ = 0;  // counts calls of for_each
  std::size_t working_ = 0;
  bool closing_ = false;
  std::int64_t blocks_ = 0;
  const std::function<void(std::int64_t)>* body_ = nullptr;
  std::vector<std::exception_ptr> failures_;  // of each block
  std::vector<std::jthread> threads_;
};

}  // namespace attest::training
