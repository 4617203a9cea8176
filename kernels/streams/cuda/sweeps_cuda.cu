#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#pragma nv_diag_suppress 1675  // Pragmas for the host compiler in headers that are shared.
#include "kernels/device/failure.hpp"
#include "kernels/softmax/perturbation_cuda.hpp"
#include "kernels/streams/cuda/gram.cuh"
#include "kernels/streams/cuda/sweeps.cuh"

// The sums that softmax/, residual/ and regression/ declare are made by one translation unit: hence no namespace of a
// folder.
namespace attest {

using streams::Noise;
using streams::PairMoments;
using streams::RowBlocks;
namespace {

namespace cuda = streams::cuda;

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  // The run time remembers the error; whoever catches this must be able to go on.
  static_cast<void>(cudaGetLastError());
  throw device::CudaFailure(std::string(what) + ": " + cudaGetErrorString(status));
}

/// An array on the device that is given back by itself.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t entries) : entries_(entries) {
    int devices = 0;
    check(cudaGetDeviceCount(&devices), "no CUDA device can be used");
    check(cudaMalloc(&data_, entries * sizeof(T)),
          ("no room on the device for " + std::to_string(entries * sizeof(T)) + " bytes").c_str());
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { static_cast<void>(cudaFree(data_)); }
  T* data() const { return data_; }
  /// What the kernel just launched has left here.
  std::vector<T> fetched(const char* kernel) const {
    check(cudaGetLastError(), kernel);
    std::vector<T> host(entries_);
    check(cudaMemcpy(host.data(), data_, entries_ * sizeof(T), cudaMemcpyDeviceToHost), kernel);
    return host;
  }

 private:
  std::size_t entries_;
  T* data_ = nullptr;
};

unsigned thread_blocks_for(std::uint64_t blocks) {
  return static_cast<unsigned>((blocks + cuda::thread_blocks - 1) / cuda::thread_blocks);
}

}  // namespace

softmax::PerturbationBlocks softmax::perturbation_blocks_on_cuda() {
  const auto blocks_of = [](std::uint64_t n) { return (n + streams::block_elements - 1) / streams::block_elements; };
  return {
      [=](const softmax::CudaPerturbation& at, std::uint64_t first_sample, std::uint64_t samples) {
        const std::uint64_t blocks = blocks_of(at.n);
        const DeviceArray<double> sums(3 * blocks * samples);
        const DeviceArray<streams::PerturbationSums> out(blocks * samples);
        constexpr int bytes = cuda::sums_bytes<3>;
        cuda::perturbation_kernel<<<static_cast<unsigned>(samples) * thread_blocks_for(blocks), cuda::threads, bytes>>>(
            at, first_sample, blocks, sums.data(), out.data());
        return out.fetched("the perturbation kernel");
      },
      [=](std::uint64_t n, const Noise& logits, double logit_shift) {
        const std::uint64_t blocks = blocks_of(n);
        const DeviceArray<double> sums(2 * blocks);
        constexpr int bytes = cuda::sums_bytes<2>;
        cuda::weights_kernel<<<thread_blocks_for(blocks), cuda::threads, bytes>>>(n, logits, logit_shift, blocks,
                                                                                  sums.data());
        const auto host = sums.fetched("the kernel of the weights");
        std::vector<softmax::WeightSums> all(blocks);
        for (std::size_t i = 0; i < blocks; ++i) all[i] = {host[2 * i], host[2 * i + 1]};
        return all;
      }};
}

std::vector<PairMoments> streams::block_moments_on_cuda(std::uint64_t n, const Noise& x, const Noise& y,
                                                        std::uint64_t sample, std::uint64_t first_block,
                                                        std::uint64_t blocks) {
  const DeviceArray<double> sums(3 * blocks);
  constexpr int bytes = cuda::sums_bytes<3>;
  cuda::pair_moments_kernel<<<thread_blocks_for(blocks), cuda::threads, bytes>>>(n, x, y, sample, first_block, blocks,
                                                                                 sums.data());
  const auto host = sums.fetched("the kernel of pair moments");
  std::vector<PairMoments> all(blocks);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {host[3 * i], host[3 * i + 1], host[3 * i + 2]};
  return all;
}

std::vector<regression::SmootherSums> regression::smoother_sums_on_cuda(const regression::Smoother& smoother,
                                                                        double reach, double at_x,
                                                                        std::uint64_t first_block,
                                                                        std::uint64_t blocks) {
  const DeviceArray<double> sums(regression::smoother_rows * blocks);
  constexpr int bytes = cuda::sums_bytes<regression::smoother_rows>;
  cuda::smoother_kernel<<<thread_blocks_for(blocks), cuda::threads, bytes>>>(smoother, reach, at_x, first_block, blocks,
                                                                             sums.data());
  const auto host = sums.fetched("the kernel of the smoother");
  std::vector<regression::SmootherSums> all(blocks);
  std::memcpy(all.data(), host.data(), host.size() * sizeof(double));
  return all;
}

std::vector<residual::GrcScan> residual::grc_blocks_on_cuda(const residual::GrcGrid& grid, std::uint64_t first_block,
                                                            std::uint64_t blocks) {
  const DeviceArray<residual::GrcScan> scans(blocks);
  cuda::grc_kernel<<<static_cast<unsigned>(blocks), cuda::threads, cuda::threads * sizeof(residual::GrcScan)>>>(
      grid, first_block, scans.data());
  return scans.fetched("the kernel of the scan");
}

softmax::JacobianBlocks softmax::jacobian_blocks_on_cuda(std::uint64_t n, const Noise& logits, std::uint64_t sample) {
  const auto top = [=](bool weights, double shift, std::uint64_t first, std::uint64_t blocks) {
    const DeviceArray<double> sums(blocks);
    const DeviceArray<softmax::TopOfBlock> tops(blocks);
    cuda::top_kernel<<<thread_blocks_for(blocks), cuda::threads, cuda::top_bytes>>>(
        n, logits, sample, weights, shift, first, blocks, sums.data(), tops.data());
    return tops.fetched("the kernel of the largest logits");
  };
  return {[=](std::uint64_t first, std::uint64_t blocks) { return top(false, 0, first, blocks); },
          [=](double shift, std::uint64_t first, std::uint64_t blocks) { return top(true, shift, first, blocks); },
          [=](double shift, double second, double at, std::uint64_t first, std::uint64_t blocks) {
            const DeviceArray<double> sums(3 * blocks);
            constexpr int bytes = cuda::sums_bytes<3>;
            cuda::secular_kernel<<<thread_blocks_for(blocks), cuda::threads, bytes>>>(n, logits, sample, shift, second,
                                                                                      at, first, blocks, sums.data());
            const auto host = sums.fetched("the kernel of the secular equation");
            std::vector<softmax::SecularTerms> terms(blocks);
            for (std::size_t i = 0; i < blocks; ++i) terms[i] = {host[3 * i], host[3 * i + 1], host[3 * i + 2]};
            return terms;
          }};
}

RowBlocks streams::row_blocks_on_cuda(std::uint64_t n, std::uint64_t d, const Noise& entries, std::uint64_t sample,
                                      std::uint64_t first_block, std::uint64_t blocks) {
  // So many blocks of rows at once as have room in a quarter of a gigabyte, but one at least.
  constexpr std::uint64_t room = std::uint64_t{1} << 28;
  constexpr unsigned draw_blocks = 4096;
  const cuda::GramTiles tiles(d);
  const std::uint64_t at_once =
      std::clamp<std::uint64_t>(room / (tiles.entries() * sizeof(double)), 1, std::max<std::uint64_t>(blocks, 1));
  const std::uint64_t gram_size = tiles.stride * tiles.stride;
  const DeviceArray<double> rows(at_once * tiles.entries()), grams(blocks * gram_size), squares(blocks);
  constexpr int bytes = cuda::GramTiles::bytes;
  for (std::uint64_t done = 0; done < blocks; done += at_once) {
    const std::uint64_t now = std::min(at_once, blocks - done);
    cuda::row_draws_kernel<<<draw_blocks, cuda::threads>>>(n, tiles, entries, sample, first_block + done, now,
                                                           draw_blocks, rows.data());
    check(cudaGetLastError(), "the kernel of the rows");
    cuda::row_gram_kernel<<<static_cast<unsigned>(now * tiles.a_row_block()), cuda::threads, bytes>>>(
        tiles, rows.data(), grams.data() + done * gram_size, squares.data() + done);
    check(cudaGetLastError(), "the kernel of the Gram matrices");
  }
  return {grams.fetched("the kernel of the Gram matrices"), squares.fetched("the kernel of the Gram matrices")};
}

}  // namespace attest
