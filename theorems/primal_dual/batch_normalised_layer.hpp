// Checks on batch-normalised attention that hold alike for one head's keys (Eqs 19-22) and for its pooled keys (Eqs
// 46-49): keys are means of successive groups of `factor` given rows, three of them, in the plane.
#pragma once

#include <cstddef>

#include "theorems/engine/claim.hpp"

namespace attest::primal_dual {

/// Eq 19 with w of Eq 8 against Eq 21 (46 against 48), features cut at degree 2, for any multipliers and bias. `value`
/// multiplies v_j; `raw_normaliser` divides v_j by h(k_j) instead of h at the normalised key.
engine::Check batch_normalised_expansion(std::size_t factor, double value, bool raw_normaliser);

/// Weights of Eq 21 (48) with h(x) := height * sum_j Phi(x)'Phi(c_j) against those of Eq 22 (49); c_j are the raw keys
/// as printed, or the normalised ones.
engine::Check batch_normalised_weights(std::size_t factor, bool raw_keys, double height);

/// The weights of Eq 22 (49) do not change when queries and keys are scaled and shifted alike, feature by feature, and
/// epsilon with the square of the scale; `with_epsilon` false leaves epsilon as it is.
engine::Check batch_normalised_invariance(std::size_t factor, bool with_epsilon);

}  // namespace attest::primal_dual
