// The emulation's own promise: what is not kept in order by a barrier shows.
#include "tests/kernels/attention/cuda/emulated_cuda/emulation.hpp"

#include <array>

#include <gtest/gtest.h>

// A sanitizer watches threads of the operating system, which would find the race before the test does.
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

namespace attest::emulation {
namespace {

/// How many of the threads of four blocks read what another one wrote before.
int threads_served(bool synchronised) {
  int served = 0;
  launch(4, [&] {
    auto* const shared = reinterpret_cast<std::uint64_t*>(block().memory.data());
    shared[threadIdx.x] = threadIdx.x;
    if (synchronised) __syncthreads();
    const unsigned other = (threadIdx.x + 64) % threads_a_block;
    served += shared[other] == other ? 1 : 0;
  });
  return served;
}

TEST(Emulation, shows_a_missing_barrier) {
  EXPECT_EQ(threads_served(true), 512);
  EXPECT_LT(threads_served(false), 512);
}

TEST(Emulation, sums_over_a_warp) {
  std::array<float, threads_a_block> sums{};
  launch(1, [&] {
    float sum = static_cast<float>(threadIdx.x);
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, offset);
    sums[threadIdx.x] = sum;
  });
  for (unsigned thread = 0; thread < threads_a_block; ++thread) {
    const unsigned first = thread / threads_a_warp * threads_a_warp;
    EXPECT_EQ(sums[thread], static_cast<float>(32 * first + 31 * 16)) << thread;
  }
}

TEST(Emulation, refuses_a_barrier_that_not_every_thread_reaches) {
  EXPECT_THROW(launch(1,
                      [] {
                        if (threadIdx.x != 7) __syncthreads();
                      }),
               std::logic_error);
}

TEST(Emulation, throws_on_what_a_thread_throws) {
  EXPECT_THROW(launch(2,
                      [] {
                        if (threadIdx.x == 90) throw std::invalid_argument("a test");
                      }),
               std::invalid_argument);
}

}  // namespace
}  // namespace attest::emulation

#endif
