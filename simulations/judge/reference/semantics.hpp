// What softmax attention means, and what implementations take it for: one switch for each known misunderstanding.
#pragma once

#include <cstdint>

#include "kernels/attention/tensor.hpp"

namespace attest::judge {

using attention::Index;

/// The default is the truth. Everything else is a hypothesis about a wrong implementation, by which an answer can be
/// explained (diagnosis/).
struct Semantics {
  enum class Causal {
    right,
    ignored,
    reversed,
    strict,
    one_ahead,
    other_corner,
    whole_batch_positions,
    queries_from_start,
    diagonal_tile_whole,  ///< of `tile`
    first_sequence_only,
    first_head_only
  } causal = {};
  /// Of every diagonal: of causal masks, windows and ALiBi alike.
  enum class Diagonal { right, other_corner, not_before_first_key } diagonal = {};
  enum class Masked {
    excluded,          ///< as it should be
    zero_logit,        ///< logits times zero, which weigh exp(0)
    capped,            ///< -cap: the softcap came after the mask
    lowered,           ///< `hidden_logit` is added
    replaced,          ///< `hidden_logit` takes the logit's place
    after_normalising  ///< weights are zeroed after the softmax and not normalised again
  } masked = {};
  double hidden_logit = -1e4;  ///< of `masked`
  enum class Mask {
    right,
    ignored,
    inverted,
    transposed,
    first_sequence,
    first_head,
    not_with_causal,
    only_boolean,     ///< amounts of an additive mask are dropped, only -infinity counts
    added_as_number,  ///< true adds 1
    before_scale,     ///< scale (q.k + mask)
    negated,          ///< an additive mask is subtracted
    cast_to_boolean   ///< an additive mask's entries other than 0, -infinity too, are taken for true
  } mask = {};
  enum class WindowIs { right, ignored, one_sided, two_sided, other_corner, not_with_causal } window = {};
  Index window_before = 0, window_after = 0;  ///< added to the window's two numbers
  bool window_cut_to_keys = false;
  enum class Softcap { right, ignored, without_factor, before_scale, after_bias, times_logit } softcap = {};
  enum class Scale {
    right,
    one,
    by_width,
    by_value_width,
    by_keys,
    by_heads,
    squared,
    default_always,
    by_width_of_8
  } scale = {};
  enum class Heads { right, tiled, first, next, reversed } heads = {};
  enum class Batches { right, first, next } batches = {};
  enum class BiasIs {
    right,
    ignored,
    negated,
    doubled,
    transposed,
    first_head,
    before_scale,
    reversed_heads
  } bias = {};
  enum class Alibi {
    right,
    ignored,
    negated,
    first_head,
    default_slopes,
    other_corner,
    one_off,
    doubled,
    signed_distance,
    scaled,
    reversed_heads,
    by_column,       ///< the slope times the key's place is added
    from_first_key,  ///< the distance is the key's place
    from_last_key    ///< the distance is that from the last key
  } alibi = {};
  enum class Packed {
    right,
    ignored,
    one_late,
    one_early,
    first_only,
    last_ignored,
    pairs,
    keys_by_query_bounds
  } packed = {};
  enum class Sinks { right, ignored, first_head, twice, scaled, at_first_key } sinks = {};
  enum class Dropout {
    right,
    ignored,
    not_rescaled,
    normalised_again,
    inverted,
    all_dropped,
    scaled_twice,
    transposed,
    first_head,
    first_sequence
  } dropout = {};
  enum class Rows { right, zeros, mean_of_values, mean_of_seen, not_normalised, over_queries } rows = {};
  enum class Keys {
    right,
    last_partial_tile_dropped,
    last_partial_tile_padded,  ///< with keys and values of zeros that weigh exp(0)
    last_dropped,
    first_dropped,
    index_of_16_bits,
    only_64k,
    values_of_16_bits,
    cached_dropped,  ///< keys before the chunk of queries
    first_tile_twice,
    second_tile_lost,
    last_twice
  } keys = {};
  Index tile = 0;  ///< of `keys`
  enum class Lse { right, base_2, without_largest, without_scale, largest_only, negated, zero, after_dropout } lse = {};
  enum class Parts { none, averaged, base_2 } parts = {};  ///< of the keys, `tile` many, combined by these weights
  enum class ValueHeads { right, next, first } value_heads = {};
  bool odd_width_cut = false;             ///< the last feature of an odd width above 1 is left out
  bool values_next_key = false;           ///< V is read one row further
  bool values_by_key_width = false;       ///< V's rows are read with the stride D
  bool swapped = false;                   ///< queries and keys change places
  bool two_tiles_forget_rescale = false;  ///< the accumulator is not rescaled when the maximum rises
  bool normaliser_not_rescaled = false;   ///< the sum of weights is not rescaled when the maximum rises

  // Of the backward pass alone.
  bool saved_forward = false;  ///< weights from the true lse, row sums from the true output: as fused kernels do
  enum class Group { sum, first, last, mean } group = {};
  enum class GradientScale { right, missing, squared } gradient_scale = {};
  bool no_row_sum = false;  ///< dS = P dP
  bool row_sum_negated = false;
  bool row_sum_is_mean = false;           ///< the unweighted mean of dP
  bool softcap_derivative_on_dp = false;  ///< 1 - tanh^2 multiplies dP and not the row sum
  bool no_softcap_derivative = false;
  bool no_lse_gradient = false, lse_gradient_negated = false, lse_gradient_halved = false;
  bool dropout_missing_in_dv = false, dropout_missing_in_dp = false;
  bool logits_without_bias = false;  ///< weights are recomputed without bias, mask amounts or slopes
};

}  // namespace attest::judge
