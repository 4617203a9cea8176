// Which keys each query sees, in compressed rows.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// Row i holds the increasing key indices columns[starts[i]] .. columns[starts[i + 1] - 1].
struct SparsePattern {
  std::vector<Index> starts = {0};
  std::vector<Index> columns;

  Index rows() const { return static_cast<Index>(starts.size()) - 1; }
  Index pairs() const { return static_cast<Index>(columns.size()); }
};

/// The strided pattern of "Generating Long Sequences with Sparse Transformers" (Child et al. 2019, Section 4.2), both
/// of its parts in one head: key j is seen by query i when 0 <= i - j <= stride or stride divides i - j, with j <= i
/// when causal; otherwise when |i - j| <= stride or stride divides i - j. Errors: std::invalid_argument for stride < 1.
SparsePattern strided_pattern(Index queries, Index keys, Index stride, bool causal);

/// The fixed pattern (same section): key j is seen by query i when both lie in the same block of `stride` tokens, or
/// when j is among the last `summary` tokens of its block; with j <= i when causal. Errors: std::invalid_argument
/// unless 1 <= summary <= stride.
SparsePattern fixed_pattern(Index queries, Index keys, Index stride, Index summary, bool causal);

/// The pattern of a mask [N_q][N_k], nonzero: visible; with j <= i when causal.
SparsePattern mask_pattern(Index queries, Index keys, const std::vector<std::uint8_t>& visible, bool causal);

/// Only the pairs that `visible` shows too.
SparsePattern intersection(const SparsePattern& pattern, Index keys, const std::vector<std::uint8_t>& visible);

/// The pattern over windows of `factor` keys: window w is seen when any of its keys below `keys` is; windows from
/// `windows` on are dropped.
SparsePattern pooled_pattern(const SparsePattern& pattern, Index factor, Index windows, Index keys);

}  // namespace attest::attention
