// The pattern of dropout on a warp's tile of weights: each word of four that Philox makes at once is used, by exchange
// between the lanes that hold the entries.
#pragma once

#include "kernels/attention/attend/dropout.hpp"
#include "kernels/attention/cuda/forward.cuh"
#include "kernels/attention/cuda/tensor_tiles.cuh"

namespace attest::attention::cuda {

/// The words (attend/dropout.hpp) of the four entries that a lane holds of a tile of 16 rows and 8 columns, for queries
/// as rows: entry e is of query `query` + lane / 4 + 8 (e / 2) and key `key` + 2 (lane % 4) + e % 2. Even lanes ask for
/// the words of four keys in the upper row, odd lanes for those in the lower, and neighbours give each other half.
/// Precondition: `key` is a multiple of 8; all lanes of the warp call.
__device__ inline void dropout_words_of_rows(std::uint32_t (&words)[4], std::uint64_t seed, Index b, Index h, int query,
                                             int key) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const bool odd = lane % 2 != 0;
  const philox4x32_ctr_t own = dropout_words(seed, b, h, query + lane / 4 + (odd ? 8 : 0), key / 4 + lane % 4 / 2);
  const std::uint32_t first = __shfl_xor_sync(0xFFFFFFFFU, odd ? own.v[0] : own.v[2], 1),
                      second = __shfl_xor_sync(0xFFFFFFFFU, odd ? own.v[1] : own.v[3], 1);
  words[0] = odd ? first : own.v[0];
  words[1] = odd ? second : own.v[1];
  words[2] = odd ? own.v[2] : first;
  words[3] = odd ? own.v[3] : second;
}

/// The same for keys as rows: entry e is of key `key` + lane / 4 + 8 (e / 2) and query `query` + 2 (lane % 4) + e % 2.
/// Of the four lanes whose keys lie side by side each asks for the words of one entry, and the four by four words
/// change places of lane and entry. Precondition: `key` is a multiple of 4; all lanes of the warp call.
__device__ inline void dropout_words_of_columns(std::uint32_t (&words)[4], std::uint64_t seed, Index b, Index h,
                                                int query, int key) {
  const int lane = static_cast<int>(threadIdx.x) % 32, turn = lane / 4 % 4;
  const philox4x32_ctr_t own =
      dropout_words(seed, b, h, query + 2 * (lane % 4) + turn % 2, key / 4 + lane / 16 + 2 * (turn / 2));
  ATTEST_UNROLL
  for (int entry = 0; entry < 4; ++entry) words[entry] = own.v[entry];
  ATTEST_UNROLL
  for (int bit = 1; bit < 4; bit *= 2) {
    const bool upper = (turn & bit) != 0;
    ATTEST_UNROLL
    for (int entry = 0; entry < 4; ++entry) {
      if ((entry & bit) != 0) continue;
      const std::uint32_t other = __shfl_xor_sync(0xFFFFFFFFU, upper ? words[entry] : words[entry | bit], 4 * bit);
      (upper ? words[entry] : words[entry | bit]) = other;
    }
  }
}

/// What dropout multiplies a lane's entries of columns 8n, ... with; 1 without dropout.
template <bool rows_are_keys>
class DropoutFactors {
 public:
  template <typename D>
  __device__ DropoutFactors(const CudaAttendProblem<D>& p, std::uint32_t threshold, Index b, Index h, int first_row,
                            int first_column)
      : seed_(threshold == 0 ? 0 : dropout_seed(p)),
        kept_(1.0F / (1.0F - static_cast<float>(p.dropout.rate))),
        threshold_(threshold),
        b_(b),
        h_(h),
        first_row_(first_row),
        first_column_(first_column) {}

  __device__ void of(int n, float (&factors)[4]) const {
    std::uint32_t words[4] = {};
    if (threshold_ != 0) {
      if constexpr (rows_are_keys)
        dropout_words_of_columns(words, seed_, b_, h_, first_column_ + 8 * n, first_row_);
      else
        dropout_words_of_rows(words, seed_, b_, h_, first_row_, first_column_ + 8 * n);
    }
    ATTEST_UNROLL
    for (int entry = 0; entry < 4; ++entry)
      factors[entry] = threshold_ == 0 ? 1.0F : words[entry] >= threshold_ ? kept_ : 0.0F;
  }

 private:
  std::uint64_t seed_;
  float kept_;
  std::uint32_t threshold_;
  Index b_, h_;
  int first_row_, first_column_;
};

}  // namespace attest::attention::cuda
