// Memory of the device that is given back by itself, and checked calls of the CUDA run time and of kernels.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "kernels/attention/attend/attend_cuda.hpp"
#include "kernels/attention/cuda/tiles.cuh"

namespace attest::attention::cuda {

/// Errors: CudaError naming what was tried, unless `status` is success.
inline void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  // The run time remembers the error; whoever catches this must be able to go on.
  static_cast<void>(cudaGetLastError());
  throw CudaError(std::string("attention on CUDA: ") + what + ": " + cudaGetErrorString(status));
}

/// An array in the device's memory; empty for no entries. Errors: CudaError when there is no room, saying how much
/// there is.
template <typename Entry>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t entries) : bytes_(entries * sizeof(Entry)) {
    if (bytes_ == 0) return;
    const cudaError_t status = cudaMalloc(&memory_, bytes_);
    if (status == cudaErrorMemoryAllocation) {
      static_cast<void>(cudaGetLastError());
      std::size_t available = 0, total = 0;
      require(cudaMemGetInfo(&available, &total), "asking for the free memory");
      throw CudaError("attention on CUDA: no room for " + std::to_string(bytes_ >> 20) + " MiB: the device has " +
                      std::to_string(available >> 20) + " of " + std::to_string(total >> 20) + " MiB free");
    }
    require(status, "allocating memory");
  }
  explicit DeviceArray(const std::vector<Entry>& host) : DeviceArray(host.size()) {
    if (bytes_ > 0) require(cudaMemcpy(memory_, host.data(), bytes_, cudaMemcpyHostToDevice), "copying to the device");
  }
  DeviceArray(DeviceArray&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  // A failing free leaves nothing to fix; an error of an earlier kernel is reported by the calls that wait for it.
  ~DeviceArray() { static_cast<void>(cudaFree(memory_)); }

  /// Null when empty.
  Entry* data() const { return static_cast<Entry*>(memory_); }

  std::vector<Entry> to_host() const {
    std::vector<Entry> host(bytes_ / sizeof(Entry));
    if (bytes_ > 0)
      require(cudaMemcpy(host.data(), memory_, bytes_, cudaMemcpyDeviceToHost), "running the kernels and copying back");
    return host;
  }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Memory in the order of a stream, given back there when this ends. Errors: CudaError.
class StreamMemory {
 public:
  StreamMemory(std::size_t bytes, cudaStream_t stream) : stream_(stream) {
    require(cudaMallocAsync(&memory_, bytes, stream), "allocating memory of the stream");
  }
  StreamMemory(const StreamMemory&) = delete;
  StreamMemory& operator=(const StreamMemory&) = delete;
  ~StreamMemory() { static_cast<void>(cudaFreeAsync(memory_, stream_)); }

  void* data() const { return memory_; }

 private:
  void* memory_ = nullptr;
  cudaStream_t stream_;
};

/// Blocks of `size` tokens.
inline Index blocks_of(Index tokens, int size) { return (tokens + size - 1) / size; }

/// Starts `blocks` blocks of threads with `bytes` of shared memory each. Errors: CudaError naming what was tried.
template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), Index blocks, int bytes, void* stream, const char* name,
            const Arguments&... arguments) {
  require(
      cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
      name);
  kernel<<<static_cast<unsigned>(blocks), threads_a_block, static_cast<std::size_t>(bytes),
           static_cast<cudaStream_t>(stream)>>>(arguments...);
  require(cudaGetLastError(), name);
}

}  // namespace attest::attention::cuda
