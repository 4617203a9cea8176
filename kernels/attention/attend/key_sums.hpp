// Where the backward pass sums the gradients of keys and values; for attend_backward.cpp alone.
#pragma once

#include <algorithm>

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/attend/tile_memory.hpp"

namespace attest::attention {

/// Where the gradients of one head's keys and values are summed, rows padded, over one part of the queries. Rows from
/// `touched` on have no number yet.
template <typename T>
struct KeySums {
  T* dk = nullptr;
  Index dk_row = 0;
  T* dv = nullptr;
  Index dv_row = 0;
  Index touched = 0;
};

/// In how many parts the queries of one head are summed, a function of the extents alone: enough work for 16 threads,
/// and 512 queries in each part but the last, so that the partial sums stay small beside the inputs. One where a band
/// ends on both sides: every part would have sums for all keys, more than its own work.
template <typename T>
Index query_parts(const AttendProblem<T>& p) {
  if (p.band.before >= 0 && (p.band.after >= 0 || p.mask.causal)) return 1;
  return std::clamp<Index>(16 / (p.batch * p.heads), 1, (p.queries + 511) / 512);
}

/// The sums over keys of every head and part: in the gradients themselves where there is one part and rows need no
/// padding.
template <typename T>
class PartialSums {
 public:
  PartialSums(const AttendProblem<T>& p, const AttendGradientViews<T>& gradients)
      : parts(query_parts(p)),
        heads_(p.heads),
        gradients_(gradients),
        key_width_(gradients.k.data != nullptr ? padded<T>(p.dim) : 0),
        value_width_(padded<T>(p.value_dim)),
        keys_(p.keys),
        in_place_(parts == 1 && value_width_ == p.value_dim && (key_width_ == 0 || key_width_ == p.dim)),
        memory_(aligned_array<T>(in_place_ ? 0 : p.batch * p.heads * parts * size())) {}

  const Index parts;
  bool in_place() const { return in_place_; }

  KeySums<T> of(Index head, Index part) const {
    if (in_place_) {
      const Index b = head / heads_, h = head % heads_;
      return {key_width_ > 0 ? gradients_.k.row(b, h, 0) : nullptr, gradients_.k.token, gradients_.v.row(b, h, 0),
              gradients_.v.token};
    }
    T* const start = memory_.get() + (head * parts + part) * size();
    return {start, key_width_, start + keys_ * key_width_, value_width_};
  }

  // Row j of dk or dv: the parts added in order.
  void add_up(Index head, Index j, T* KeySums<T>::*which, Index features, T* row) const {
    const Index width = which == &KeySums<T>::dk ? key_width_ : value_width_;
    std::copy_n(of(head, 0).*which + j * width, features, row);
    for (Index part = 1; part < parts; ++part) {
      const T* const from = of(head, part).*which + j * width;
      // Several parts have memory of their own, so that none is null.
      for (Index d = 0; d < features; ++d) row[d] += from[d];  // NOLINT(clang-analyzer-core.NullDereference)
    }
  }

  // Zeros where no query came.
  void fill_up_to(Index end, KeySums<T>& sums) const {
    for (; sums.touched < end; ++sums.touched) {
      std::fill_n(sums.dk + sums.touched * sums.dk_row, key_width_, T(0));
      std::fill_n(sums.dv + sums.touched * sums.dv_row, value_width_, T(0));
    }
  }

 private:
  Index size() const { return keys_ * (key_width_ + value_width_); }

  Index heads_;
  const AttendGradientViews<T>& gradients_;
  Index key_width_, value_width_, keys_;
  bool in_place_;
  AlignedArray<T> memory_;
};

}  // namespace attest::attention
