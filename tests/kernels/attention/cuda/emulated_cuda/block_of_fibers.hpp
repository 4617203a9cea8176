// A block of threads in one thread of the processor. Each runs until it waits, and which of those that may go on is
// next is drawn anew every time: what a barrier should have kept in order comes in another one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include <ucontext.h>

#include "tests/kernels/attention/cuda/emulated_cuda/coordinate.hpp"

inline attest::emulation::Coordinate threadIdx, blockIdx;

namespace attest::emulation {

/// The threads of the running block. Errors: std::logic_error where threads wait that none can wake; what a thread
/// throws ends the block and is thrown on.
class Threads {
 public:
  static Threads& only() {
    static Threads threads;
    return threads;
  }

  /// Runs `kernel` in 128 threads. Kernel: a function without arguments, alive meanwhile.
  template <typename Kernel>
  void run(const Kernel& kernel) {
    kernel_ = &kernel;
    call_ = [](const void* called) { (*static_cast<const Kernel*>(called))(); };
    for (unsigned thread = 0; thread < threads_a_block; ++thread) start(thread);
    std::size_t ended = 0;
    for (; !ready_.empty(); ended += ended_ ? 1 : 0) step();
    waiting_ = {};
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    if (ended < threads_a_block) throw std::logic_error("some threads wait at a barrier that others never reach");
  }

  void wait_for_block() { wait(4, threads_a_block); }
  void wait_for_warp() { wait(threadIdx.x / threads_a_warp, threads_a_warp); }

 private:
  static constexpr std::size_t stack_bytes = std::size_t{1} << 19;

  static void enter() {
    Threads& threads = only();
    try {
      threads.call_(threads.kernel_);
    } catch (...) {
      threads.error_ = std::current_exception();
    }
    threads.ended_ = true;
  }

  void start(unsigned thread) {
    getcontext(&contexts_[thread]);
    contexts_[thread].uc_stack.ss_sp = stacks_.get() + thread * stack_bytes;
    contexts_[thread].uc_stack.ss_size = stack_bytes;
    contexts_[thread].uc_link = &scheduler_;
    makecontext(&contexts_[thread], &Threads::enter, 0);
    ready_.push_back(thread);
  }

  // One of those that may go on, until it waits or ends.
  void step() {
    std::swap(ready_[draw_() % ready_.size()], ready_.back());
    threadIdx.x = ready_.back();
    ready_.pop_back();
    ended_ = false;
    swapcontext(&scheduler_, &contexts_[threadIdx.x]);
    if (error_) ready_.clear();
  }

  void wait(unsigned barrier, unsigned expected) {
    std::vector<unsigned>& waiting = waiting_[barrier];
    waiting.push_back(threadIdx.x);
    if (waiting.size() == expected) {
      ready_.insert(ready_.end(), waiting.begin(), waiting.end());
      waiting.clear();
    }
    swapcontext(&contexts_[threadIdx.x], &scheduler_);
  }

  std::array<ucontext_t, threads_a_block> contexts_{};
  ucontext_t scheduler_{};
  std::unique_ptr<std::byte[]> stacks_ = std::make_unique_for_overwrite<std::byte[]>(threads_a_block * stack_bytes);
  std::vector<unsigned> ready_;
  std::array<std::vector<unsigned>, 5> waiting_;  // at the barriers of four warps and of the block
  std::minstd_rand draw_;
  const void* kernel_ = nullptr;
  void (*call_)(const void*) = nullptr;
  bool ended_ = false;
  std::exception_ptr error_;
};

/// Runs `kernel` in every thread of every block, one block after the other. Prepare: called before each block.
template <typename Kernel, typename Prepare>
void run_blocks(std::int64_t blocks, const Kernel& kernel, const Prepare& prepare) {
  for (std::int64_t number = 0; number < blocks; ++number) {
    blockIdx.x = static_cast<unsigned>(number);
    prepare();
    Threads::only().run(kernel);
  }
}

}  // namespace attest::emulation
