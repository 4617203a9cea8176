// Tokens in double between two passes; for the files of this folder alone.
#pragma once

#include <algorithm>

#include "kernels/attention/attend/tile_memory.hpp"
#include "kernels/attention/linear/linear_run.hpp"

namespace attest::attention {

/// An array [B][H][N][D] in double, not initialised.
class WideRows {
 public:
  WideRows(Index batch, Index heads, Index tokens, Index width)
      : heads_(heads), tokens_(tokens), width_(width), memory_(aligned_array<double>(batch * heads * tokens * width)) {}

  double* row(Index b, Index h, Index n) { return memory_.get() + ((b * heads_ + h) * tokens_ + n) * width_; }
  const double* row(Index b, Index h, Index n) const {
    return memory_.get() + ((b * heads_ + h) * tokens_ + n) * width_;
  }
  double* rows(const RowsPlace& at) { return row(at.b, at.h, at.first); }
  const double* rows(const RowsPlace& at) const { return row(at.b, at.h, at.first); }
  Index width() const { return width_; }

  /// Zeros in the tokens of sequence b from `first` on.
  void clear_from(Index b, Index first) {
    for (Index h = 0; h < heads_; ++h) std::fill_n(row(b, h, first), (tokens_ - first) * width_, 0.0);
  }

 private:
  Index heads_, tokens_, width_;
  AlignedArray<double> memory_;
};

inline LoadRows rows_of(const WideRows& x) {
  return [&x](const RowsPlace& at, Matrix& to) { load_rows(x.rows(at), x.width(), at.count, x.width(), to); };
}
inline StoreRows rows_into(WideRows& x) {
  return
      [&x](const RowsPlace& at, const Matrix& from) { store_rows(from, at.count, x.width(), x.rows(at), x.width()); };
}

}  // namespace attest::attention
