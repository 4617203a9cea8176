// What Linformer with and without biases share.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/attention/mechanism/mechanism.hpp"

namespace attest::attention::definitions {

/// q, k, v and the projections E of the keys and F of the values along the tokens.
std::vector<InputSpec> projected_inputs();

/// Rows of the projections that a cost assumes, because settings do not hold their extent: 256, or all keys.
std::int64_t usual_rank(const CostShape& shape);

}  // namespace attest::attention::definitions
