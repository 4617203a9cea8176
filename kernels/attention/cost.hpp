// What a computation costs: counted operations and bytes, not measured ones.
#pragma once

#include <cstdint>

namespace attest::attention {

/// One attention layer's extents. Projections are not counted by a mechanism unless it owns them.
struct CostShape {
  std::int64_t batch = 1, heads = 1, queries = 1, keys = 1;
  std::int64_t dim = 1;        ///< D of queries and keys, per head
  std::int64_t value_dim = 1;  ///< D_v, per head
  std::int64_t element_bytes = 4;
};

/// Multiplications and additions count one flop each; an exponential, a division and a comparison one each.
struct Cost {
  double forward_flops = 0, backward_flops = 0;
  double forward_bytes = 0, backward_bytes = 0;  ///< memory beyond inputs and outputs at its peak
};

}  // namespace attest::attention
