// Attention on a CUDA device: the tiling of kernels/attention/attend/attend.hpp, with tensor cores for half and
// bfloat16.
//
// What has been run: on an H100, with its tests and their memory and races checked
// (tests/benchmarks/results/device.txt); elsewhere the functions are compiled for sm_90 and, as PTX, for every device
// from sm_80 on, the kernels' source runs on the processor, block by block
// (tests/kernels/attention/cuda/emulated_cuda), and the tests that need a device skip.
#pragma once

#include <stdexcept>

#include "kernels/attention/attend/attend.hpp"
#include "kernels/attention/attend/attend_view.hpp"

namespace attest::attention {

/// A device that is absent, too small or failing; the message says which.
class CudaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Numbers as a device holds them, for code that knows no CUDA type: the bits of __half and __nv_bfloat16.
struct Half {
  std::uint16_t bits;
};
struct Bfloat16 {
  std::uint16_t bits;
};

/// In what type logits, sums and options are kept for arrays of S: float, and double for double. (On the CPU the logits
/// of float are in double: here, logits near 10^4 move the weights of float by a thousandth.)
template <typename S>
struct CudaAccumulator {
  using Type = float;
};
template <>
struct CudaAccumulator<double> {
  using Type = double;
};

/// The arguments of attend in the device's memory; S is float, double, Half or Bfloat16. Null: an absent option.
template <typename S>
struct CudaAttendProblem {
  using T = typename CudaAccumulator<S>::Type;
  Index batch = 0, heads = 0, queries = 0, keys = 0, dim = 0, value_dim = 0;
  HeadsView<const S> q, k, v;
  T scale = 1;
  MaskPointers mask = {};
  const T* slopes = nullptr;      ///< [H]
  const T* dense_bias = nullptr;  ///< [H][N_q][N_k]
  Dropout dropout = {};
  void* stream = nullptr;  ///< a cudaStream_t; null: the default stream
  /// A number in the device's memory that is added to dropout.seed, so that a recorded launch can be repeated with
  /// another pattern; null: 0.
  const std::uint64_t* added_seed = nullptr;
};

/// Where the gradients go in the device's memory; every entry is overwritten.
template <typename S>
struct CudaGradients {
  HeadsView<S> q, k, v;
  typename CudaAccumulator<S>::Type* dense_bias = nullptr;  ///< [H][N_q][N_k]; null: not wanted
  /// backward_scratch numbers to work with; null: memory of the stream is asked for.
  float* scratch = nullptr;
};

/// Queries of a head that attend_backward_cuda_view keeps statistics of, in whole blocks of every kernel.
constexpr Index with_whole_blocks(Index queries) { return (queries + 127) / 128 * 128; }
/// How many numbers attend_backward_cuda_view takes to work with: two for each of these.
constexpr Index backward_scratch(Index batch, Index heads, Index queries) {
  return 2 * batch * heads * with_whole_blocks(queries);
}

/// attend on the device's memory, on the current device, without waiting for it; `largest` and `normaliser` are
/// [B][H][N_q] without gaps. Half and bfloat16 with up to 128 features, multiples of 8, in rows aligned to 16 bytes
/// keep logits and sums in registers; all else goes through shared memory, at a few percent of that speed. Same bits on
/// every run on one device. Preconditions: those that attend checks. Errors: CudaError, also when the features do not
/// fit a block's shared memory.
template <typename S>
void attend_cuda_view(const CudaAttendProblem<S>& problem, HeadsView<S> out, typename CudaAccumulator<S>::Type* largest,
                      typename CudaAccumulator<S>::Type* normaliser);

/// attend_backward likewise: one kernel over blocks of queries for q and the bias, one over blocks of keys for k and v,
/// so that nothing is added atomically. Where sums are kept in registers (as above, and without a gradient of the bias)
/// it also takes backward_scratch numbers for as long as it runs.
template <typename S>
void attend_backward_cuda_view(const CudaAttendProblem<S>& problem, HeadsView<const S> out,
                               const typename CudaAccumulator<S>::Type* largest,
                               const typename CudaAccumulator<S>::Type* normaliser, HeadsView<const S> dout,
                               const CudaGradients<S>& gradients);

/// In what type q, k, v and dout lie on the device. Half and bfloat16 round them, the weights before A v and the
/// results, and sum in float.
enum class CudaStorage { as_given, half, bfloat16 };

/// attend and attend_backward on the current device, from and to the host's memory; T is float or double (as_given
/// only). Errors: those of attend, and CudaError.
template <typename T>
Attended<T> attend_cuda(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v, const AttendOptions<T>& options,
                        CudaStorage storage = CudaStorage::as_given);
template <typename T>
AttendGradients<T> attend_backward_cuda(const Tensor<T>& q, const Tensor<T>& k, const Tensor<T>& v,
                                        const AttendOptions<T>& options, const Attended<T>& attended,
                                        const Tensor<T>& dout, CudaStorage storage = CudaStorage::as_given);

}  // namespace attest::attention
