// One kernel per sweep: draw, transform and reduce. Compiled for devices by sweeps_cuda.cu, and for the processor by a
// test (tests/kernels/attention/cuda/emulated_cuda/emulation.hpp).
#pragma once

#include <numbers>

#include "kernels/regression/smoother.hpp"
#include "kernels/residual/grc_scan.hpp"
#include "kernels/residual/grc_steps.hpp"
#include "kernels/softmax/jacobian_norm_cuda.hpp"
#include "kernels/softmax/perturbation_cuda.hpp"
#include "kernels/streams/chunks.hpp"
#include "kernels/streams/cuda/draws.cuh"
#include "kernels/streams/pair_moments.hpp"

#if !defined(ATTEST_SHARED_MEMORY)
#define ATTEST_SHARED_MEMORY(name) extern __shared__ __align__(32) unsigned char name[]
#endif

// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result): places in shared memory have few digits
namespace attest::streams::cuda {

/// As on the processor: chunks in columns, several chunks a block. A thread has two neighbouring columns of a chunk,
/// which hold the two draws of a counter, and a block of threads two blocks of elements.
constexpr int threads = 128, chunk_size = static_cast<int>(chunk_elements),
              block_chunks = static_cast<int>(block_elements / chunk_elements), wide = columns<double>,
              thread_blocks = 2;
static_assert(threads == thread_blocks * block_chunks * wide / 2);

/// Thread blocks that a multiprocessor is to hold at once: the compiler gives a thread no more registers than that
/// allows. Of 3 to 6 the fastest on the whole (tests/benchmarks/results/device.txt).
constexpr int blocks_at_once = 5;

template <int rows>
constexpr int sums_bytes = thread_blocks* block_chunks* rows* wide* static_cast<int>(sizeof(double));

/// out[block][rows]: sums over the elements of each of `blocks` blocks from `first_block` on, by the tree and the order
/// of the processor. `group`: which of the thread blocks that share these blocks this one is. element(i, totals) adds
/// elements i and i + 1 (where i + 1 < n) to totals[0] and totals[1].
template <int rows, typename Element>
__device__ inline void block_sums(std::uint64_t group, std::uint64_t n, std::uint64_t first_block, std::uint64_t blocks,
                                  double* out, const Element& element) {
  ATTEST_SHARED_MEMORY(memory);
  auto* const table = reinterpret_cast<double*>(memory);  // [chunk of both blocks][row][column]
  const int thread = static_cast<int>(threadIdx.x);
  const int chunk = thread / (wide / 2), column = 2 * (thread % (wide / 2));
  const std::uint64_t number = thread_blocks * group + static_cast<std::uint64_t>(chunk) / block_chunks;
  const std::uint64_t begin =
      ((first_block + number) * block_chunks + static_cast<std::uint64_t>(chunk) % block_chunks) * chunk_size;
  double totals[2][rows] = {};
  if (number < blocks)
    for (std::uint64_t i = begin + static_cast<std::uint64_t>(column); i < begin + chunk_size && i < n; i += wide)
      element(i, totals);
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < 2; ++k) table[(chunk * rows + row) * wide + column + k] = totals[k][row];
  __syncthreads();
  // Each block's first threads take a row each.
  const int half_thread = thread % (threads / thread_blocks);
  if (half_thread < rows && number < blocks) {
    double sum = 0;
    const int first = (thread / (threads / thread_blocks)) * block_chunks;
    for (int c = first; c < first + block_chunks; ++c) {
      double* const values = table + (c * rows + half_thread) * wide;
      for (int half = wide / 2; half > 0; half /= 2)
        for (int i = 0; i < half; ++i) values[i] += values[i + half];
      sum += values[0];
    }
    const std::uint64_t own = thread_blocks * group + static_cast<std::uint64_t>(thread / (threads / thread_blocks));
    out[own * rows + static_cast<std::uint64_t>(half_thread)] = sum;
  }
}

/// out: the sums of x^2, x y, y^2 of each block.
__global__ inline void __launch_bounds__(threads, blocks_at_once)
    pair_moments_kernel(std::uint64_t n, Noise x, Noise y, std::uint64_t sample, std::uint64_t first_block,
                        std::uint64_t blocks, double* out) {
  const random::StreamName first{x.seed, x.key, sample}, second{y.seed, y.key, sample};
  block_sums<3>(blockIdx.x, n, first_block, blocks, out, [&](std::uint64_t i, double(*totals)[3]) {
    const auto a = draw_pair(x.law, first, i), b = draw_pair(y.law, second, i);
    const double p[2] = {a.first, a.second}, q[2] = {b.first, b.second};
    for (int k = 0; k < 2 && i + static_cast<std::uint64_t>(k) < n; ++k) {
      totals[k][0] = simd::fused(p[k], p[k], totals[k][0]);
      totals[k][1] = simd::fused(p[k], q[k], totals[k][1]);
      totals[k][2] = simd::fused(q[k], q[k], totals[k][2]);
    }
  });
}

/// out: the rows of SmootherRow of each block.
__global__ inline void __launch_bounds__(threads, blocks_at_once)
    smoother_kernel(regression::Smoother s, double reach, double at_x, std::uint64_t first_block, std::uint64_t blocks,
                    double* out) {
  const double inverse = 1 / s.h, limit = reach / s.h;
  block_sums<regression::smoother_rows>(
      blockIdx.x, s.n, first_block, blocks, out, [&](std::uint64_t i, double(*totals)[regression::smoother_rows]) {
        double position[2];
        if (s.observations == regression::Observations::random) {
          const auto z = draw_pair({random::LawKind::uniform, 0}, s.stream, i);
          position[0] = z.first * (1 / std::numbers::sqrt3);
          position[1] = z.second * (1 / std::numbers::sqrt3);
        } else {
          for (std::uint64_t k = 0; k < 2; ++k)
            position[k] = static_cast<double>(2 * (i + k) + 1) / static_cast<double>(s.n) - 1;
        }
        for (int k = 0; k < 2 && i + static_cast<std::uint64_t>(k) < s.n; ++k) {
          const double u = (position[k] - s.x) * inverse;
          if (limit < simd::magnitude<double>(u)) continue;
          regression::add_observation(s.kernel, s.curve, position[k], u, at_x, totals[k]);
        }
      });
}

/// out: the tally of each block of 128 neighbouring (L, t), one per thread.
__global__ inline void __launch_bounds__(threads, blocks_at_once)
    grc_kernel(residual::GrcGrid grid, std::uint64_t first_block, residual::GrcScan* out) {
  ATTEST_SHARED_MEMORY(memory);
  auto* const scans = reinterpret_cast<residual::GrcScan*>(memory);
  const std::uint64_t pair = (first_block + blockIdx.x) * threads + threadIdx.x;
  residual::GrcScan own;
  if (pair < grid.lipschitz.points * grid.weight.points) {
    const double lipschitz = grid.lipschitz.at(pair / grid.weight.points);
    const double weight = grid.weight.at(pair % grid.weight.points), margin = residual::grc_rounding(grid.layers);
    auto recursion = residual::GrcRecursion<double>::first_layer(lipschitz, weight);
    auto tally = residual::GrcRecursion<double>::nothing_seen();
    for (std::uint64_t n = 1; n <= grid.layers; ++n) {
      if (n > 1) recursion.next_layer();
      recursion.count(static_cast<double>(n), grid.constant * (1 - margin), grid.constant * (1 + margin), tally);
    }
    const auto whole = [](double x) { return static_cast<std::uint64_t>(x); };
    own = {grid.layers,
           whole(tally.printed_above),
           whole(tally.printed_open),
           whole(tally.sharp_above),
           whole(tally.sharp_open),
           {tally.largest, lipschitz, weight, whole(tally.largest_at)},
           {tally.least, lipschitz, weight, whole(tally.least_at)}};
  }
  scans[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  residual::GrcScan all;
  for (int i = 0; i < threads; ++i) join(all, scans[i]);
  out[blockIdx.x] = all;
}

/// sums: three per block, as room; out: the sums and the largest eta of each block, sample by sample.
__global__ inline void __launch_bounds__(threads, blocks_at_once)
    perturbation_kernel(softmax::CudaPerturbation at, std::uint64_t first_sample, std::uint64_t blocks, double* sums,
                        PerturbationSums* out) {
  const std::uint64_t groups = (blocks + thread_blocks - 1) / thread_blocks;
  const std::uint64_t which = blockIdx.x / groups, group = blockIdx.x % groups;
  const random::StreamName logits{at.logits.seed, at.logits.key, 0},
      noise{at.noise.seed, at.noise.key, first_sample + which};
  double* const own_sums = sums + which * blocks * 3;
  double largest = -HUGE_VAL;
  block_sums<3>(group, at.n, 0, blocks, own_sums, [&](std::uint64_t i, double(*totals)[3]) {
    const auto c = draw_pair(at.logits.law, logits, i), z = draw_pair(at.noise.law, noise, i);
    const double x[2] = {c.first, c.second}, y[2] = {z.first, z.second};
    for (int k = 0; k < 2 && i + static_cast<std::uint64_t>(k) < at.n; ++k) {
      const auto a = elementary::exponential_steps<double>(at.logits.scale * x[k] - at.logit_shift);
      const double eta = at.noise.scale * y[k], left = eta - at.noise_shift;
      const double moved = a * (at.minus_one ? elementary::exponential_minus_one_steps<double>(left)
                                             : elementary::exponential_steps<double>(left));
      totals[k][0] = totals[k][0] + moved;
      totals[k][1] = simd::fused(a, moved, totals[k][1]);
      totals[k][2] = simd::fused(moved, moved, totals[k][2]);
      largest = simd::larger(largest, eta);
    }
  });
  ATTEST_SHARED_MEMORY(memory);
  auto* const of_threads = reinterpret_cast<double*>(memory);
  __syncthreads();
  of_threads[threadIdx.x] = largest;
  __syncthreads();
  constexpr unsigned half = threads / thread_blocks;
  const std::uint64_t number = thread_blocks * group + threadIdx.x / half;
  if (threadIdx.x % half != 0 || number >= blocks) return;
  for (unsigned other = threadIdx.x + 1; other < threadIdx.x + half; ++other)
    largest = simd::larger(largest, of_threads[other]);
  out[which * blocks + number] = {own_sums[3 * number], own_sums[3 * number + 1], own_sums[3 * number + 2], largest};
}

/// out: the sums of a and a^2 of each block, a_i = exp(scale X_i - shift).
__global__ inline void __launch_bounds__(threads, blocks_at_once)
    weights_kernel(std::uint64_t n, Noise logits, double shift, std::uint64_t blocks, double* out) {
  const random::StreamName name{logits.seed, logits.key, 0};
  block_sums<2>(blockIdx.x, n, 0, blocks, out, [&](std::uint64_t i, double(*totals)[2]) {
    const auto z = draw_pair(logits.law, name, i);
    const double x[2] = {z.first, z.second};
    for (int k = 0; k < 2 && i + static_cast<std::uint64_t>(k) < n; ++k) {
      const auto a = elementary::exponential_steps<double>(logits.scale * x[k] - shift);
      totals[k][0] = totals[k][0] + a;
      totals[k][1] = simd::fused(a, a, totals[k][1]);
    }
  });
}

/// Shared memory of top_kernel.
constexpr int top_bytes = sums_bytes < 1 >> 2 * threads* static_cast<int>(sizeof(double))
                              ? sums_bytes<1>
                              : 2 * threads* static_cast<int>(sizeof(double));

/// out: the two largest and the sum, of each block, of scale X_i, or with `weights` of exp(scale X_i - shift).
__global__ inline void __launch_bounds__(threads, blocks_at_once)
    top_kernel(std::uint64_t n, Noise logits, std::uint64_t sample, bool weights, double shift,
               std::uint64_t first_block, std::uint64_t blocks, double* sums, softmax::TopOfBlock* out) {
  const random::StreamName name{logits.seed, logits.key, sample};
  double largest = weights ? 0 : -HUGE_VAL, second = largest;
  block_sums<1>(blockIdx.x, n, first_block, blocks, sums, [&](std::uint64_t i, double(*totals)[1]) {
    const auto z = draw_pair(logits.law, name, i);
    const double x[2] = {z.first, z.second};
    for (int k = 0; k < 2 && i + static_cast<std::uint64_t>(k) < n; ++k) {
      const double c = logits.scale * x[k];
      const double value = weights ? elementary::exponential_steps<double>(c - shift) : c;
      totals[k][0] = totals[k][0] + value;
      second = simd::larger(second, simd::if_less(largest, value, largest, value));
      largest = simd::larger(largest, value);
    }
  });
  ATTEST_SHARED_MEMORY(memory);
  auto* const tops = reinterpret_cast<double*>(memory);
  __syncthreads();
  tops[2 * threadIdx.x] = largest;
  tops[2 * threadIdx.x + 1] = second;
  __syncthreads();
  constexpr unsigned half = threads / thread_blocks;
  const std::uint64_t number = thread_blocks * std::uint64_t{blockIdx.x} + threadIdx.x / half;
  if (threadIdx.x % half != 0 || number >= blocks) return;
  for (unsigned other = threadIdx.x + 1; other < threadIdx.x + half; ++other) {
    const double theirs = tops[2 * other], next = tops[2 * other + 1];
    second = simd::larger(simd::larger(second, next), simd::if_less(largest, theirs, largest, theirs));
    largest = simd::larger(largest, theirs);
  }
  out[number] = {largest, second, sums[number]};
}

/// out: the sums over b < second of b/(at - b) and b/(at - b)^2, and the number of other b, of each block.
__global__ inline void __launch_bounds__(threads, blocks_at_once)
    secular_kernel(std::uint64_t n, Noise logits, std::uint64_t sample, double shift, double second, double at,
                   std::uint64_t first_block, std::uint64_t blocks, double* out) {
  const random::StreamName name{logits.seed, logits.key, sample};
  block_sums<3>(blockIdx.x, n, first_block, blocks, out, [&](std::uint64_t i, double(*totals)[3]) {
    const auto z = draw_pair(logits.law, name, i);
    const double x[2] = {z.first, z.second};
    for (int k = 0; k < 2 && i + static_cast<std::uint64_t>(k) < n; ++k) {
      const auto b = elementary::exponential_steps<double>(logits.scale * x[k] - shift);
      const bool below = b < second;
      const double inverse = 1.0 / (below ? at - b : 1.0), term = below ? b * inverse : 0.0;
      totals[k][0] = totals[k][0] + term;
      totals[k][1] = simd::fused(term, inverse, totals[k][1]);
      totals[k][2] = totals[k][2] + (below ? 0.0 : 1.0);
    }
  });
}

}  // namespace attest::streams::cuda
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result)
