// Euclidean norms of tokens, which bound their logits.
#pragma once

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/attend/tile_memory.hpp"

namespace attest::attention {

/// norms[j] = |row first + j| for `count` rows of one head, within some roundings of float; infinity where that is not
/// finite. A pure function of each row.
void token_norms(const HeadsView<const float>& tokens, Index b, Index h, Index first, Index count, Index features,
                 float* norms);

/// The norms of all keys of a problem, and the largest of every tile of keys. Empty where T is double.
template <typename T>
class KeyNorms {
 public:
  explicit KeyNorms(const AttendProblem<T>& problem);

  /// Of head h of sequence b, [N_k].
  const float* of(Index b, Index h) const { return norms_.get() + (b * heads_ + h) * keys_; }
  /// The largest norm of the tile that starts at first_key, a multiple of tile_keys.
  float largest(Index b, Index h, Index first_key) const {
    return largest_[(b * heads_ + h) * tiles_ + first_key / tile_keys];
  }

 private:
  Index heads_, keys_, tiles_;
  AlignedArray<float> norms_, largest_;
};

}  // namespace attest::attention
