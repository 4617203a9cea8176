// Eqs 17, 18 and 25: one regression a head, on training sets of equal or different sizes.
#pragma once

#include <cstddef>
#include <vector>

#include "theorems/engine/claim.hpp"

namespace attest::primal_dual {

/// What near-misses change.
struct HeadVariation {
  double value = 1;             ///< factor of the values v_j^s
  bool blocks_swapped = false;  ///< W_O^1 and W_O^2
};

/// The check of two identities for two heads, head s with sizes[s] keys in the plane, D_v = 2 and two rows in W_O:
/// sum_s W_O^s (W^s Phi(x^s) / h^s(x^s) + b^s) with w of Eq 8 is sum_s W_O^s (sum_j Phi'Phi / h v_j^s + b^s), features
/// cut at degree 2; and sum_s W_O^s sum_j softmax(x^s'k_j^s / sqrt(D)) v_j^s is Concat(h^1, h^2) [W_O^1, W_O^2]'.
engine::Check one_regression_a_head(std::vector<std::size_t> sizes, HeadVariation change = {});

}  // namespace attest::primal_dual
