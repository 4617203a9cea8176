// Checks on the recentred attention of Eqs 26 and 51, which differ in the keys only: means of successive groups of
// `factor` given rows, three of them, in the plane.
#pragma once

#include <cstddef>

#include "theorems/engine/claim.hpp"

namespace attest::primal_dual {

/// Weights of Eq 22 (49) against softmax_j((q - beta mu)'(k_j - beta mu) / sqrt(D)) of Eq 26 (51); with `whitened`,
/// queries and keys of the right side are first divided by the standard deviations of Eq 23 (50).
engine::Check simplified_weights(std::size_t factor, double beta, bool whitened);

/// softmax_j((q - beta mu)'(k_j - beta mu) / sqrt(D)) against softmax_j((q - ratio beta mu)'k_j / sqrt(D)) for beta in
/// [0, 1.5].
engine::Check keys_need_no_recentring(std::size_t factor, double ratio);

/// softmax_j((q - beta mu)'(k_j - beta mu) / sqrt(D)) does not change when queries and keys are shifted alike.
engine::Check shift_invariance(std::size_t factor, double beta);

}  // namespace attest::primal_dual
