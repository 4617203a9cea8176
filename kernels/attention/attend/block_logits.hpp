// The logits of a block of queries, tile by tile, in the narrowest type that is accurate enough.
//
// In float they are formed in float where |q_i| |scale| |k_j| <= narrow_limit(D), and in double elsewhere, entry by
// entry: a decision over tiles would let a hidden or future token change the last bits of others.
#pragma once

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/attend/tile_logits.hpp"
#include "kernels/attention/attend/tile_memory.hpp"

namespace attest::attention {

/// The squared Euclidean norms of all keys of a problem, [B][H][N_k], infinity where they are not finite; null where T
/// is double, which has no use for them.
template <typename T>
AlignedArray<float> squared_key_norms(const AttendProblem<T>& problem);

/// The same, with those that the problem brings where it brings them, each a pure function of its key, and the largest
/// of every tile of keys. Empty where T is double.
template <typename T>
class KeyNorms {
 public:
  /// `problem` must outlive it. Where heads are tiles (heads_are_tiles) the norms are formed by `form` alone.
  explicit KeyNorms(const AttendProblem<T>& problem);

  /// To be called by the task that takes head h of sequence b, before it asks for the head's norms: where the head is
  /// one tile its keys are read here, in the caches of the thread that multiplies them next.
  void form(Index b, Index h);

  /// Of head h of sequence b, [N_k].
  const float* of(Index b, Index h) const { return norms_.get() + (b * problem_.heads + h) * problem_.keys; }
  /// The largest of the tile that starts at first_key, a multiple of tile_keys.
  float largest(Index b, Index h, Index first_key) const {
    return largest_[(b * problem_.heads + h) * tiles_ + first_key / tile_keys];
  }

 private:
  /// Of keys first .. first + count - 1, one tile, of a head of all sequences' heads.
  void form_tile(Index head, Index first, Index count);

  const AttendProblem<T>& problem_;
  Index tiles_ = 0;
  AlignedArray<float> norms_, largest_;
};

/// Features whose products are summed in one go: their sums are added up afterwards.
constexpr Index features_per_sum = 32;

/// Up to which |q_i| |scale| |k_j| a logit of D features is formed in float.
///
/// A sum of s of its D products, features in random order and sign, has size sqrt(s) |q_i| |scale| |k_j| / D, and
/// rounding it moves the logit by at most 2^-24/sqrt(3) of that in the root mean square. Added up over the partial sums
/// that are rounded, the squares of sqrt(s)/D give w, and the logit errs by a standard deviation of at most
/// 2^-24/sqrt(3) sqrt(w) |q_i| |scale| |k_j|. The limit 8/sqrt(w) (11 for D = 8 to 32, 21 for D = 128) makes that
/// 2.8e-7. An output errs by at most half of a logit's error, relative to the largest value: six standard deviations
/// are 8.3e-7, which leaves the other roundings, and features of one sign, more than half of the 2e-6 that are
/// promised.
float narrow_limit(Index dim);

/// The logits of queries `block.first_query` .. of one head. Uses this thread's arrays: one at a time.
template <typename T>
class BlockLogits {
 public:
  BlockLogits(const AttendProblem<T>& problem, const KeyNorms<T>& key_norms, const TilePlace& block);

  /// Forms those of the tile `place` with biases and masks. True: they are in `narrow` [keys][place.row]. False: in
  /// wide(), because some are large or biased, or as `wanted_wide` says; `narrow` is overwritten.
  bool form(const TilePlace& place, bool wanted_wide, T* narrow);
  const double* wide() const { return wide_; }

 private:
  void form_narrow(const TilePlace& place, T* narrow) const;
  /// wide() for keys first .. first + count - 1 of the tile.
  void form_wide(const TilePlace& place, Index first, Index count);
  /// wide() for all keys that some query has a large logit with, and perhaps for others.
  void form_large(const TilePlace& place, const float* key_norms);

  const AttendProblem<T>& problem_;
  const KeyNorms<T>& key_norms_;
  T* lanes_;
  double *wide_lanes_ = nullptr, *wide_ = nullptr;
  float query_norms_[tile_queries] = {};  // squared, as all norms and limits here
  float largest_norm_ = 0, limit_;
};

}  // namespace attest::attention
