// A block as 128 threads of the operating system: slow, and what a sanitizer can watch for races and for memory.
#pragma once

#include <array>
#include <barrier>
#include <cstdint>
#include <thread>
#include <vector>

#include "tests/kernels/attention/cuda/emulated_cuda/coordinate.hpp"

inline thread_local attest::emulation::Coordinate threadIdx, blockIdx;

namespace attest::emulation {

/// The barriers of the running block.
class Threads {
 public:
  static Threads& only() {
    static Threads threads;
    return threads;
  }
  void wait_for_block() { all_.arrive_and_wait(); }
  void wait_for_warp() { warps_[threadIdx.x / threads_a_warp].arrive_and_wait(); }

 private:
  std::barrier<> all_{threads_a_block};
  std::array<std::barrier<>, 4> warps_{std::barrier<>{threads_a_warp}, std::barrier<>{threads_a_warp},
                                       std::barrier<>{threads_a_warp}, std::barrier<>{threads_a_warp}};
};

/// As in block_of_fibers.hpp.
template <typename Kernel, typename Prepare>
void run_blocks(std::int64_t blocks, const Kernel& kernel, const Prepare& prepare) {
  std::vector<std::jthread> threads;
  for (unsigned thread = 0; thread < threads_a_block; ++thread)
    threads.emplace_back([&, thread] {
      threadIdx.x = thread;
      for (std::int64_t number = 0; number < blocks; ++number) {
        blockIdx.x = static_cast<unsigned>(number);
        Threads::only().wait_for_block();
        if (thread == 0) prepare();
        Threads::only().wait_for_block();
        kernel();
      }
    });
}

}  // namespace attest::emulation
