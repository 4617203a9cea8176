// The bound K_n on the sensitivity of n layers with a residual connection, plain or boosted.
#pragma once

#include <span>

#include "kernels/rigor/ball.hpp"

namespace attest::boosting {

/// K_1 = L_0 + first, K_{l+1} = [L_l + stay (1 - t)] K_l + carried t for l = 1, ..., n - 1.
///
/// With all three factors 1 this is Eq A.11 of "Revisiting Transformers with Insights from Image Filtering and
/// Boosting", for layers Y_{l+1} = f_l(Y_l) + t Y_0 + (1 - t) Y_l whose f_l has the Lipschitz constant L_l; with t = 0
/// besides it is Eq A.10, for Y_{l+1} = f_l(Y_l) + Y_l. Other factors make near-misses of the two.
/// Preconditions of both functions: at least one layer.
struct LipschitzRecurrence {
  double first = 1;
  double stay = 1;
  double carried = 1;

  /// K_n as printed: step by step, in ball arithmetic. `layers` holds L_0, ..., L_{n-1}.
  rigor::Ball step_by_step(std::span<const double> layers, const rigor::Ball& t) const;

  /// K_n unrolled, K_1 prod_{l >= 1} a_l + carried t sum_{j=1}^{n-1} prod_{l > j} a_l with a_l = L_l + stay (1 - t), in
  /// double precision: all terms are of one sign where t is in [0, 1], so that the relative error is below 5 n 2^-53.
  double unrolled(std::span<const double> layers, double t) const;
};

}  // namespace attest::boosting
