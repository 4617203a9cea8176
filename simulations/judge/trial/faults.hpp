// The ways to be wrong that a judgement tells apart: each name once, with what is known of it.
#pragma once

#include <cstdint>
#include <string_view>

namespace attest::judge {

/// What a fault is about: where only the gradients show a fault of an output, the topic names theirs.
enum class Topic : std::uint8_t { other, visibility, packed, scale, softcap, bias, alibi, sinks, mapping, dropout };

/// The class of a finding. One without a name stands for what is not diagnosed yet.
struct Fault {
  std::string_view name;  ///< short and fixed; `class` in files
  Topic topic = Topic::other;
  bool of_what_is_seen = false;  ///< keys are seen that must not be, or the reverse: leaks follow from it

  constexpr bool operator==(const Fault& other) const { return name == other.name; }
  /// Whether it is a diagnosis.
  constexpr explicit operator bool() const { return !name.empty(); }
};

namespace fault {

// Calls as a whole.
inline constexpr Fault raises_an_error{"raises an error"};
inline constexpr Fault crashes{"crashes"};
inline constexpr Fault hangs{"does not return in time"};
inline constexpr Fault returns_nothing{"returns nothing"};
inline constexpr Fault wrong_type{"wrong type"};
inline constexpr Fault wrong_shape{"wrong shape"};
inline constexpr Fault input_is_overwritten{"an input is overwritten"};
inline constexpr Fault writes_outside_its_buffers{"writes outside its buffers"};

// Weights.
inline constexpr Fault wrong_values{"wrong values"};
inline constexpr Fault output_is_zero{"output is zero"};
inline constexpr Fault logits_have_no_effect{"output does not depend on the logits"};
inline constexpr Fault softmax_over_the_wrong_axis{"softmax over the wrong axis"};
inline constexpr Fault rows_do_not_sum_to_1{"rows of weights do not sum to 1"};
inline constexpr Fault visible_keys_are_skipped{"visible keys are skipped"};
inline constexpr Fault queries_and_keys_exchanged{"queries and keys exchanged"};
inline constexpr Fault wrong_sparse_pattern{"wrong sparse pattern"};

// Who sees what.
inline constexpr Fault causal_ignored{"causal ignored", Topic::visibility, true};
inline constexpr Fault causal_mask_off_by_one{"causal mask off by one", Topic::visibility, true};
inline constexpr Fault causal_mask_aligned_to_the_wrong_corner{"causal mask aligned to the wrong corner",
                                                               Topic::visibility, true};
inline constexpr Fault causal_mask_transposed{"causal mask transposed", Topic::visibility, true};
inline constexpr Fault causal_mask_applied_wrongly{"causal mask applied wrongly", Topic::visibility, true};
inline constexpr Fault window_ignored{"window ignored", Topic::visibility, true};
inline constexpr Fault sliding_window_aligned_to_the_wrong_corner{"sliding window aligned to the wrong corner",
                                                                  Topic::visibility, true};
inline constexpr Fault sliding_window_has_the_wrong_width{"sliding window has the wrong width", Topic::visibility,
                                                          true};
inline constexpr Fault mask_ignored{"mask ignored", Topic::visibility, true};
inline constexpr Fault mask_inverted{"mask inverted", Topic::visibility, true};
inline constexpr Fault mask_transposed{"mask transposed", Topic::visibility, true};
inline constexpr Fault mask_of_another_head_or_sequence{"mask of another head or sequence", Topic::visibility, true};
inline constexpr Fault float_mask_read_as_boolean{"float mask read as boolean", Topic::visibility, true};
inline constexpr Fault mask_applied_wrongly{"mask applied wrongly", Topic::visibility, true};
inline constexpr Fault masked_keys_get_weight{"masked keys get weight", Topic::visibility, true};
inline constexpr Fault padded_keys_take_part{"padded keys take part", Topic::visibility, true};
inline constexpr Fault packed_sequences_see_each_other{"packed sequences see each other", Topic::packed, true};
inline constexpr Fault leak{"a masked key or value reaches the output"};
inline constexpr Fault leak_in_gradients{"a masked key or value reaches the gradients"};

// Terms of the logits.
inline constexpr Fault scale_ignored{"scale ignored", Topic::scale};
inline constexpr Fault wrong_default_scale{"wrong default scale", Topic::scale};
inline constexpr Fault scale_applied_wrongly{"scale applied wrongly", Topic::scale};
inline constexpr Fault softcap_ignored{"softcap ignored", Topic::softcap};
inline constexpr Fault softcap_applied_wrongly{"softcap applied wrongly", Topic::softcap};
inline constexpr Fault softcap_applied_after_the_mask{"softcap applied after the mask", Topic::softcap, true};
inline constexpr Fault softcap_applied_after_the_bias{"softcap applied after the bias", Topic::bias};
inline constexpr Fault bias_ignored{"bias ignored", Topic::bias};
inline constexpr Fault bias_applied_wrongly{"bias applied wrongly", Topic::bias};
inline constexpr Fault alibi_aligned_to_the_wrong_corner{"ALiBi aligned to the wrong corner", Topic::alibi};
inline constexpr Fault alibi_distances_wrong{"ALiBi distances wrong", Topic::alibi};
inline constexpr Fault alibi_slopes_wrong{"ALiBi slopes wrong", Topic::alibi};
inline constexpr Fault sinks_ignored{"sinks ignored", Topic::sinks};
inline constexpr Fault sinks_counted_wrongly{"sinks counted wrongly", Topic::sinks};

// Heads, sequences and extents.
inline constexpr Fault key_heads_mapped_wrongly{"key heads mapped wrongly", Topic::mapping};
inline constexpr Fault mixed_up{"sequences or heads are mixed up", Topic::mapping};
inline constexpr Fault mixed_up_in_gradients{"sequences or heads are mixed up in the gradients", Topic::mapping};
inline constexpr Fault depends_on_mates{"a sequence depends on its batch mates"};
inline constexpr Fault wrong_when_values_have_another_width{"wrong when values have another width"};
inline constexpr Fault wrong_at_partial_vectors{"wrong at widths that are not multiples of 8"};
inline constexpr Fault wrong_at_wide_heads{"wrong at more than 64 features"};
inline constexpr Fault partial_tiles{"wrong at lengths that are not multiples of the tile"};
inline constexpr Fault wrong_across_tiles_of_keys{"wrong across tiles of keys"};
inline constexpr Fault beyond_64k_keys{"wrong beyond 65,536 keys"};
inline constexpr Fault beyond_2g_entries{"wrong beyond 2^31 entries"};
inline constexpr Fault strides_ignored{"strides ignored"};

// Dropout.
inline constexpr Fault dropout_ignored{"dropout ignored", Topic::dropout};
inline constexpr Fault dropout_mask_inverted{"dropout mask inverted", Topic::dropout, true};
inline constexpr Fault dropout_mask_of_another_head{"dropout mask of another head", Topic::dropout, true};
inline constexpr Fault dropout_scaled_wrongly{"dropout scaled wrongly", Topic::dropout};
inline constexpr Fault dropout_keeps_the_wrong_fraction{"dropout keeps the wrong fraction", Topic::dropout};
inline constexpr Fault dropout_ignores_the_seed{"dropout ignores the seed", Topic::dropout};
inline constexpr Fault dropout_decisions_are_not_independent{"dropout decisions are not independent", Topic::dropout};

// Numbers.
inline constexpr Fault lse_in_base_2{"lse in base 2"};
inline constexpr Fault wrong_lse{"wrong lse"};
inline constexpr Fault wrong_lse_of_a_fully_masked_row{"wrong lse of a fully masked row"};
inline constexpr Fault fully_masked_row_is_not_zero{"a fully masked row is not zero"};
inline constexpr Fault fully_masked_row_gives_nan{"a fully masked row gives NaN"};
inline constexpr Fault fully_masked_row_gives_nan_gradients{"a fully masked row gives NaN gradients"};
inline constexpr Fault masked_part_of_the_keys_gives_nan{"a masked part of the keys gives NaN"};
inline constexpr Fault overflow_at_large_logits{"overflow at large logits"};
inline constexpr Fault underflow_at_very_negative_logits{"underflow at very negative logits"};
inline constexpr Fault low_precision{"less than the type's precision"};
inline constexpr Fault low_precision_in_gradients{"gradients in less than the type's precision"};
inline constexpr Fault rounding_is_biased{"rounding is biased"};
inline constexpr Fault not_linear_in_the_values{"not linear in the values"};
inline constexpr Fault results_differ_between_runs{"results differ between runs"};
inline constexpr Fault depends_on_earlier_calls{"a result depends on earlier calls"};

// Gradients.
inline constexpr Fault wrong_gradients{"wrong gradients"};
inline constexpr Fault wrong_dq{"wrong dq"};
inline constexpr Fault wrong_dk{"wrong dk"};
inline constexpr Fault wrong_dv{"wrong dv"};
inline constexpr Fault wrong_dbias{"wrong dbias"};
inline constexpr Fault wrong_dq_and_dk{"wrong dq and dk"};
inline constexpr Fault dk_and_dv_swapped{"dk and dv swapped"};
inline constexpr Fault dk_and_dv_not_summed_over_the_group{"dk and dv not summed over the group"};
inline constexpr Fault gradient_of_lse_ignored{"gradient of lse ignored"};
inline constexpr Fault gradient_of_lse_wrong{"gradient of lse wrong"};
inline constexpr Fault gradient_disagrees_with_own_forward{"gradient disagrees with own forward"};
inline constexpr Fault softcap_missing_in_the_gradients{"softcap missing in the gradients"};
inline constexpr Fault dropout_wrong_in_the_gradients{"dropout wrong in the gradients"};
inline constexpr Fault wrong_gradients_with_this_mask{"wrong gradients with this mask"};
inline constexpr Fault wrong_gradients_with_padded_keys{"wrong gradients with padded keys"};
inline constexpr Fault wrong_gradients_with_packed_sequences{"wrong gradients with packed sequences"};
inline constexpr Fault wrong_gradients_with_bias{"wrong gradients with bias"};
inline constexpr Fault wrong_gradients_with_alibi{"wrong gradients with ALiBi"};
inline constexpr Fault wrong_gradients_with_sinks{"wrong gradients with sinks"};
}  // namespace fault

}  // namespace attest::judge
