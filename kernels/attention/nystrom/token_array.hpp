// Tokens in double that nobody fills before they are written; for the files of this folder alone.
#pragma once

#include <algorithm>

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/attend/tile_memory.hpp"
#include "kernels/attention/nystrom/nystrom_head.hpp"

namespace attest::attention {

/// An array [B][H][N][D] in double, not initialised: to fill what is overwritten anyway takes as long as a pass over
/// it.
class TokenArray {
 public:
  TokenArray() = default;
  TokenArray(Index batch, Index heads, Index tokens, Index width)
      : batch_(batch),
        heads_(heads),
        tokens_(tokens),
        width_(width),
        memory_(aligned_array<double>(batch * heads * tokens * width)) {}

  Index batch() const { return batch_; }
  Index heads() const { return heads_; }
  Index tokens() const { return tokens_; }
  Index width() const { return width_; }
  Index head_size() const { return tokens_ * width_; }
  double* head(Index b, Index h) { return memory_.get() + (b * heads_ + h) * head_size(); }
  const double* head(Index b, Index h) const { return memory_.get() + (b * heads_ + h) * head_size(); }

  /// From sequence b on.
  HeadsView<double> from(Index b) { return {head(b, 0), heads_ * head_size(), head_size(), width_}; }
  HeadsView<const double> from(Index b) const { return {head(b, 0), heads_ * head_size(), head_size(), width_}; }
  /// The first `count` tokens of a head.
  WritableRows rows(Index b, Index h, Index count) { return {head(b, h), count, width_}; }
  RowsView rows(Index b, Index h, Index count) const { return {head(b, h), count, width_}; }

  void set_zero() { std::fill_n(memory_.get(), batch_ * heads_ * head_size(), 0.0); }

 private:
  Index batch_ = 0, heads_ = 0, tokens_ = 0, width_ = 0;
  AlignedArray<double> memory_;
};

}  // namespace attest::attention
