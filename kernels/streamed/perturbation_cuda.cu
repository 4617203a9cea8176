#include <array>
#include <string>
#include <vector>

#pragma nv_diag_suppress 1675  // Pragmas for the host compiler in headers that are shared.
#include "kernels/streamed/cuda/draws.cuh"
#include "kernels/streamed/perturbation_cuda.hpp"

namespace attest::streamed {
namespace {

// As on the processor: chunks of 2048 elements in 16 columns, eight chunks a block. A thread has two neighbouring
// columns of a chunk, which hold the two draws of a counter.
constexpr int chunk_size = 2048, chunks = 8, pairs = columns<double> / 2, threads = chunks * pairs;

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw CudaFailure(std::string(what) + ": " + cudaGetErrorString(status));
}

struct Totals {
  double aw = 0, a2w = 0, a2w2 = 0, largest = -HUGE_VAL;

  __device__ void add(double a, double eta) {
    const double moved = a * elementary::exponential_minus_one_steps<double>(eta);
    aw = aw + moved;
    a2w = simd::fused(a, moved, a2w);
    a2w2 = simd::fused(moved, moved, a2w2);
    largest = simd::larger(largest, eta);
  }
};

__global__ void perturbation(CudaPerturbation at, std::uint64_t first_sample, std::uint64_t blocks,
                             PerturbationSums* sums) {
  __shared__ double rows[chunks][perturbation_rows][columns<double>];
  const std::uint64_t sample = first_sample + blockIdx.x / blocks, block = blockIdx.x % blocks;
  const int chunk = static_cast<int>(threadIdx.x) / pairs, column = 2 * (static_cast<int>(threadIdx.x) % pairs);
  const std::uint64_t begin = (block * chunks + static_cast<std::uint64_t>(chunk)) * chunk_size;
  const random::StreamName logits{at.logits.seed, at.logits.claim, 0}, noise{at.noise.seed, at.noise.claim, sample};
  Totals total[2];
  for (std::uint64_t i = begin + static_cast<std::uint64_t>(column); i < begin + chunk_size && i < at.n;
       i += columns<double>) {
    const auto c = cuda::draw_pair(at.logits.law, logits, i), z = cuda::draw_pair(at.noise.law, noise, i);
    const double x[2] = {c.first, c.second}, eta[2] = {z.first, z.second};
    for (int k = 0; k < 2; ++k) {
      if (i + static_cast<std::uint64_t>(k) >= at.n) break;
      const double a = elementary::exponential_steps<double>(at.logits.scale * x[k] - at.logit_shift);
      total[k].add(a, at.noise.scale * eta[k]);
    }
  }
  for (int k = 0; k < 2; ++k) {
    rows[chunk][sum_aw][column + k] = total[k].aw;
    rows[chunk][sum_a2w][column + k] = total[k].a2w;
    rows[chunk][sum_a2w2][column + k] = total[k].a2w2;
    rows[chunk][largest_eta][column + k] = total[k].largest;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  PerturbationSums result{0, 0, 0, -HUGE_VAL};
  for (auto& chunk_rows : rows) {
    for (int half = columns<double> / 2; half > 0; half /= 2) {
      for (int i = 0; i < half; ++i) {
        for (int row : {int{sum_aw}, int{sum_a2w}, int{sum_a2w2}}) chunk_rows[row][i] += chunk_rows[row][i + half];
        chunk_rows[largest_eta][i] = simd::larger(chunk_rows[largest_eta][i], chunk_rows[largest_eta][i + half]);
      }
    }
    result.aw += chunk_rows[sum_aw][0];
    result.a2w += chunk_rows[sum_a2w][0];
    result.a2w2 += chunk_rows[sum_a2w2][0];
    result.largest = simd::larger(result.largest, chunk_rows[largest_eta][0]);
  }
  sums[blockIdx.x] = result;
}

}  // namespace

std::vector<PerturbationSums> perturbation_sums_on_cuda(const CudaPerturbation& at, std::uint64_t first_sample,
                                                        std::uint64_t samples) {
  constexpr std::uint64_t block_size = std::uint64_t{chunk_size} * chunks;
  const std::uint64_t blocks = (at.n + block_size - 1) / block_size;
  std::vector<PerturbationSums> sums(blocks * samples);
  PerturbationSums* on_device = nullptr;
  check(cudaMalloc(&on_device, sums.size() * sizeof(PerturbationSums)), "no device memory for the sums");
  perturbation<<<static_cast<unsigned>(sums.size()), threads>>>(at, first_sample, blocks, on_device);
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t copied =
      cudaMemcpy(sums.data(), on_device, sums.size() * sizeof(PerturbationSums), cudaMemcpyDeviceToHost);
  cudaFree(on_device);
  check(launched, "the perturbation kernel was not started");
  check(copied, "the perturbation kernel failed");
  return sums;
}

}  // namespace attest::streamed
