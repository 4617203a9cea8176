// The kernel of drop_entries_cuda.
#pragma once

#include <cstdint>

#include "kernels/attention/attend/dropout.hpp"
#include "kernels/attention/cuda/tiles.cuh"

namespace attest::attention::cuda {

/// Which entries survive.
struct EntryDropout {
  std::uint32_t threshold;
  std::uint64_t seed;
  const std::uint64_t* added_seed;  ///< null: 0
};

/// Four entries that are read and written at once.
template <typename D>
struct alignas(4 * sizeof(D)) Four {
  D entry[4];
};

/// Blocks whose threads take four entries each, those of one call of Philox.
inline Index blocks_of_entries(Index entries) { return (entries + 4 * threads_a_block - 1) / (4 * threads_a_block); }

template <typename D>
__device__ inline D kept_entry(D in, bool survives, float scale) {
  return D(survives ? static_cast<float>(in) * scale : 0.0F);
}

/// Grid: blocks_of_entries(entries).
template <typename D>
__global__ void __launch_bounds__(threads_a_block)
    drop_entries_kernel(const D* in, D* out, Index entries, EntryDropout dropout, float scale) {
  const Index group = Index{blockIdx.x} * threads_a_block + threadIdx.x, first = 4 * group;
  if (first >= entries) return;
  const std::uint64_t seed = dropout.seed + (dropout.added_seed == nullptr ? 0 : *dropout.added_seed);
  const bool aligned =
      (reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out)) % alignof(Four<D>) == 0;
  if (aligned && first + 4 <= entries) {
    const philox4x32_ctr_t words = entry_dropout_words(seed, group);
    Four<D> four = *reinterpret_cast<const Four<D>*>(in + first);
    ATTEST_UNROLL
    for (int e = 0; e < 4; ++e) four.entry[e] = kept_entry(four.entry[e], words.v[e] >= dropout.threshold, scale);
    *reinterpret_cast<Four<D>*>(out + first) = four;
    return;
  }
  for (Index i = first; i < first + 4 && i < entries; ++i)
    out[i] = kept_entry(in[i], survives_entry_dropout(seed, dropout.threshold, i), scale);
}

}  // namespace attest::attention::cuda
