// Which keys a query sees under every condition that a mask can set: for the general path and for those who must know
// which tokens are hidden.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/attention/attend/attend.hpp"

namespace attest::attention {

/// Keys first..last - 1 that a query may see by all conditions but `Mask::visible` and the biases; none when
/// last <= first. `diagonal` is its diagonal key, which may lie outside the keys there are.
struct KeyRange {
  Index first = 0, last = 0, diagonal = 0;
};

/// Of query i of sequence b. Preconditions: those that attend checks.
KeyRange key_range(const Mask& mask, Index b, Index i, Index queries, Index keys);

/// `Mask::visible` for one pair; true where there is none.
bool is_shown(const Mask& mask, Index b, Index h, Index i, Index j, Index queries, Index keys);

/// Where entry (b, h, i, j) of a bias [H][N_q][N_k] or [B or 1][H or 1][N_q][N_k] lies.
Index bias_entry(const Shape& bias, Index b, Index h, Index i, Index j);

/// Entry (b, h_kv, j) of [B][H_kv][N_k] is 1 when no query of any head that reads this key sees it. T: float or double.
template <typename T>
std::vector<std::uint8_t> hidden_keys(const Shape& q, const Shape& k, const AttendOptions<T>& options);

}  // namespace attest::attention
