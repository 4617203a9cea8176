// What a computation costs: counted operations and bytes, not measured ones.
#pragma once

#include <cstdint>

namespace attest::attention {

/// One attention's extents. Projections are not counted by a mechanism unless it owns them.
struct CostShape {
  std::int64_t batch = 1, heads = 1, queries = 1, keys = 1;
  std::int64_t dim = 1;        ///< D of queries and keys, per head
  std::int64_t value_dim = 1;  ///< D_v, per head
  std::int64_t element_bytes = 4;
  /// true: the N_q x N_k weights are formed and kept for the backward pass, as eager frameworks do; false: they are
  /// formed in tiles and formed again going back, as `attend` does.
  bool keeps_weights = false;
  bool causal = false;  ///< without kept weights only pairs with j <= i are computed; with them all pairs are
};

/// Counting conventions, by which every formula below equals what an instrumented number counts element for element
/// in the plain algorithm:
/// - a multiply-accumulate ("MAC", `acc + a b`) is two flops; every other addition, subtraction, multiplication,
///   division, negation, comparison, exponential, logarithm and square root of two elements or of one is one flop;
/// - sums start at zero, so a product of m x k and k x n matrices is m k n MACs and nothing else;
/// - the scale factor of the logits is one multiplication per pair, also when it is 1;
/// - operations on indices, on shapes and on numbers that depend on neither (1/sqrt(D)) are free; so is moving data;
/// - rescaling the running maximum of a tile is not counted: it is O(N_q D_v) per tile.
/// Parts add: `+` means that both parts' arrays are held until the end.
struct Cost {
  double forward_flops = 0, backward_flops = 0;
  double forward_bytes = 0;   ///< peak of memory beyond inputs and outputs in a forward pass that is not followed by a
                              ///< backward pass
  double backward_bytes = 0;  ///< the same for a forward and a backward pass together (gradients are outputs)
  double forward_macs = 0, backward_macs = 0;

  Cost& operator+=(const Cost& other);
  friend Cost operator+(Cost a, const Cost& b) { return a += b; }
  bool operator==(const Cost&) const = default;
};

/// Pairs (i, j) a head computes logits for: N_q N_k, or sum_i min(i + 1, N_k) under a causal mask without kept weights.
double computed_pairs(const CostShape& shape);

/// softmax(scale Q K^T) V. Kept weights, per pair: D + D_v MACs and 6 flops forward, 2 D + 2 D_v + 1 MACs and 3 flops
/// backward. Otherwise D + D_v MACs and 5 flops forward, 3 D + 2 D_v MACs and 6 flops backward, and per query what the
/// normalisation and its gradient take.
Cost attend_cost(const CostShape& shape);
/// The same over `pairs` visible pairs per head instead of all: sparse attention in compressed rows, O(pairs).
Cost sparse_cost(const CostShape& shape, double pairs);
/// What a term added to the logits costs beyond the attention: `flops_to_form` per pair to form it (2 for -slope |i -
/// j|, 0 for a stored array) and 1 to add it; with `learnable`, one more per pair going back, for its gradient.
Cost logit_bias_cost(const CostShape& shape, double flops_to_form, bool learnable);

/// A V + A (V - A V): with kept weights A is formed once, otherwise the attention runs twice; going back two passes
/// take 4 D + 4 D_v MACs and 9 flops per pair. Precondition: N_q = N_k.
Cost twicing_cost(const CostShape& shape);

/// Linear attention with feature map elu + 1, O(N D D_v), full or causal by running sums (which are formed again going
/// back).
Cost linear_cost(const CostShape& shape);
/// A V + A (V - A V) with the A of linear attention. Precondition: N_q = N_k.
Cost linear_twicing_cost(const CostShape& shape);

/// Linformer: keys and values projected to `rank` rows, then softmax attention over them.
Cost linformer_cost(const CostShape& shape, std::int64_t rank);

/// Nystrom attention with `landmarks` segment means and `iterations` steps for the pseudo-inverse.
Cost nystrom_cost(const CostShape& shape, std::int64_t landmarks, int iterations);

/// Recentred queries and keys, (x - beta mu) s^-1 with mu (and s, if `normalised`) from the keys of a head; with
/// `learnable`, also the gradient of beta.
Cost recentre_cost(const CostShape& shape, bool normalised, bool learnable);

/// Average pooling of the keys and values of one head by `factor` into `pooled` rows, with `covered` rows of input
/// entering an average; 0 when the factor is 1.
Cost pool_cost(const CostShape& one_head, std::int64_t factor, std::int64_t pooled, std::int64_t covered);

/// Depth-wise convolution of queries and keys with `taps` weights per head (zero padding counted as if it were data).
Cost convolution_cost(const CostShape& shape, std::int64_t taps);

/// `elements` times a factor (per head and sequence): one flop each, forward and backward; with `learnable`, a MAC each
/// for the gradient of the factor.
Cost scaling_cost(const CostShape& shape, double elements, bool learnable);

/// x a + y b on the outputs, for combinations such as A V - V: `forward` and `backward` flops per output element.
Cost combination_cost(const CostShape& shape, double forward, double backward);

}  // namespace attest::attention
