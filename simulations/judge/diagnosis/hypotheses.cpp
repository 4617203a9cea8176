#include "simulations/judge/diagnosis/hypotheses.hpp"

#include <fmt/format.h>

#include "simulations/judge/diagnosis/hypothesis_list.hpp"

namespace attest::judge {
namespace {

using Of = Hypothesis::Of;

bool has_boolean(const CaseSpec& s) { return s.mask.starts_with("bool"); }
bool hides(const CaseSpec& s) { return s.causal || s.window || !s.mask.empty() || !s.packed.empty(); }
bool has_alibi(const CaseSpec& s) { return s.alibi; }
bool many_sequences(const CaseSpec& s) { return s.batch > 1; }

void add_outputs(HypothesisList& list) {
  using Rows = Semantics::Rows;
  list.add(
      fault::output_is_zero, "zeros are returned", always, [](Semantics& s) { s.rows = Rows::zeros; }, Of::output);
  list.add(
      fault::output_is_zero, "zeros are returned, lse too", always,
      [](Semantics& s) { s.rows = Rows::zeros, s.lse = Semantics::Lse::zero; }, Of::output);
  list.add(
      fault::logits_have_no_effect, "the mean of the visible values is returned", always,
      [](Semantics& s) { s.rows = Rows::mean_of_seen; }, Of::output);
  list.add(
      fault::logits_have_no_effect, "the mean of all values is returned", always,
      [](Semantics& s) { s.rows = Rows::mean_of_values; }, Of::output);
  list.add(
      fault::softmax_over_the_wrong_axis, "weights are normalised over the queries", always,
      [](Semantics& s) { s.rows = Rows::over_queries; }, Of::output);
  list.add(
      fault::rows_do_not_sum_to_1, "weights are not divided by their sum", always,
      [](Semantics& s) { s.rows = Rows::not_normalised; }, Of::output);
}

void add_causal(HypothesisList& list) {
  using Causal = Semantics::Causal;
  const auto causal = [&](const Fault& fault, const char* text, Causal which) {
    list.add(fault, text, is_causal, [which](Semantics& s) { s.causal = which; });
  };
  causal(fault::causal_mask_aligned_to_the_wrong_corner, "the diagonal ends at the other corner", Causal::other_corner);
  causal(fault::causal_mask_off_by_one, "a query does not see its own key", Causal::strict);
  causal(fault::causal_mask_off_by_one, "a query sees the key after its own", Causal::one_ahead);
  causal(fault::causal_mask_transposed, "a query sees the keys from its own on", Causal::reversed);
  causal(fault::causal_ignored, "every key is seen", Causal::ignored);
  list.add(
      fault::causal_ignored, "the causal mask is that of the first sequence alone",
      [](const CaseSpec& c) { return c.causal && c.batch > 1; },
      [](Semantics& c) { c.causal = Causal::first_sequence_only; });
  list.add(
      fault::causal_ignored, "the causal mask is that of the first head alone",
      [](const CaseSpec& c) { return c.causal && c.heads > 1; },
      [](Semantics& c) { c.causal = Causal::first_head_only; });
  for (const Index tile : {2, 4, 8, 16, 32, 64})
    list.add(fault::causal_mask_off_by_one, fmt::format("the tile of {} on the diagonal is seen whole", tile),
             is_causal, [tile](Semantics& c) { c.causal = Causal::diagonal_tile_whole, c.tile = tile; });
  const Applies packed_causal = [](const CaseSpec& c) { return c.causal && !c.packed.empty(); };
  list.add(fault::packed_sequences_see_each_other, "causal positions are counted from the start of the buffer",
           packed_causal, [](Semantics& c) { c.causal = Causal::whole_batch_positions; });
  list.add(fault::packed_sequences_see_each_other, "positions of queries are counted from the start of the buffer",
           packed_causal, [](Semantics& c) { c.causal = Causal::queries_from_start; });
  list.add(fault::visible_keys_are_skipped, "keys before the chunk of queries are not seen", is_causal,
           [](Semantics& s) { s.keys = Semantics::Keys::cached_dropped; });
}

void add_window(HypothesisList& list) {
  using Is = Semantics::WindowIs;
  const Fault& width = fault::sliding_window_has_the_wrong_width;
  list.add(fault::window_ignored, "every key is seen", has_window, [](Semantics& s) { s.window = Is::ignored; });
  list.add(fault::sliding_window_aligned_to_the_wrong_corner, "the window follows the other diagonal", has_window,
           [](Semantics& s) { s.window = Is::other_corner; });
  list.add(width, "the same width after the query as before it", has_window,
           [](Semantics& s) { s.window = Is::two_sided; });
  list.add(width, "keys after the query are not cut", has_window, [](Semantics& s) { s.window = Is::one_sided; });
  for (const Index by : {Index{-1}, Index{1}}) {
    const char* amount = by < 0 ? "one key short" : "one key more";
    list.add(width, fmt::format("{} before the query", amount), has_window,
             [by](Semantics& s) { s.window_before = by; });
    list.add(width, fmt::format("{} after the query", amount), has_window, [by](Semantics& s) { s.window_after = by; });
    list.add(width, fmt::format("{} on both sides", amount), has_window,
             [by](Semantics& s) { s.window_before = s.window_after = by; });
  }
  list.add(width, "widths beyond N_k are cut to it", has_window, [](Semantics& s) { s.window_cut_to_keys = true; });
  list.add(fault::window_ignored, "the window has no effect beside the causal mask", has_window,
           [](Semantics& s) { s.window = Is::not_with_causal; });
}

/// Every diagonal of a call at once, where they differ from the right one.
void add_diagonals(HypothesisList& list) {
  using Diagonal = Semantics::Diagonal;
  const auto all = [&](const Fault& fault, const Applies& applies) {
    list.add(fault, "every diagonal ends at the other corner", applies,
             [](Semantics& s) { s.diagonal = Diagonal::other_corner; });
    list.add(fault, "no diagonal begins before the first key", applies,
             [](Semantics& s) { s.diagonal = Diagonal::not_before_first_key; });
  };
  all(fault::causal_mask_aligned_to_the_wrong_corner, is_causal);
  all(fault::sliding_window_aligned_to_the_wrong_corner, [](const CaseSpec& s) { return s.window && !s.causal; });
  all(fault::alibi_aligned_to_the_wrong_corner, [](const CaseSpec& s) { return s.alibi && !s.window && !s.causal; });
}

void add_masks(HypothesisList& list) {
  using Mask = Semantics::Mask;
  using Masked = Semantics::Masked;
  const auto mask = [&](const Fault& fault, const char* text, Mask which, const Applies& applies = has_mask) {
    list.add(fault, text, applies, [which](Semantics& s) { s.mask = which; });
  };
  mask(fault::mask_inverted, "true hides", Mask::inverted);
  mask(fault::mask_transposed, "the mask is read by columns", Mask::transposed);
  mask(fault::mask_of_another_head_or_sequence, "the first sequence's mask for all", Mask::first_sequence);
  mask(fault::mask_of_another_head_or_sequence, "the first head's mask for all", Mask::first_head);
  mask(fault::float_mask_read_as_boolean, "entries other than 0 are taken for true", Mask::cast_to_boolean,
       has_additive);
  mask(fault::float_mask_read_as_boolean, "only -infinity has an effect", Mask::only_boolean, has_additive);
  mask(fault::mask_applied_wrongly, "the mask is added before the scale", Mask::before_scale, has_additive);
  mask(fault::mask_applied_wrongly, "the mask is subtracted", Mask::negated, has_additive);
  mask(fault::mask_applied_wrongly, "true adds 1 to the logit", Mask::added_as_number, has_boolean);
  mask(fault::mask_ignored, "the mask has no effect", Mask::ignored);
  mask(fault::mask_ignored, "the mask has no effect beside the causal mask", Mask::not_with_causal);
  const auto masked = [&](const Fault& fault, const char* text, Masked which, const Applies& applies = hides) {
    list.add(fault, text, applies, [which](Semantics& s) { s.masked = which; });
  };
  masked(fault::softcap_applied_after_the_mask, "hidden keys have the logit -cap", Masked::capped,
         [](const CaseSpec& s) { return s.softcap != 0 && hides(s); });
  masked(fault::rows_do_not_sum_to_1, "hidden weights are cleared after the softmax", Masked::after_normalising);
  masked(fault::masked_keys_get_weight, "hidden keys have the logit 0", Masked::zero_logit);
  for (const double by : {-1e4, -1e3, -100.0, -30.0, -10.0}) {
    list.add(fault::masked_keys_get_weight, fmt::format("{:g} is added to hidden logits", by), hides,
             [by](Semantics& s) { s.masked = Masked::lowered, s.hidden_logit = by; });
    list.add(fault::masked_keys_get_weight, fmt::format("hidden logits are {:g}", by), hides,
             [by](Semantics& s) { s.masked = Masked::replaced, s.hidden_logit = by; });
  }
}

void add_terms(HypothesisList& list) {
  using Scale = Semantics::Scale;
  const auto scale = [&](const Fault& fault, const char* text, Scale which, const Applies& applies) {
    list.add(fault, text, applies, [which](Semantics& s) { s.scale = which; });
  };
  const auto given = [](const CaseSpec& s) { return s.scale != 0; };
  const auto by_default = [](const CaseSpec& s) { return s.scale == 0; };
  scale(fault::scale_ignored, "1/sqrt(D) whatever scale is asked for", Scale::default_always, given);
  scale(fault::wrong_default_scale, "no scale", Scale::one, by_default);
  scale(fault::wrong_default_scale, "1/D", Scale::by_width, by_default);
  scale(fault::wrong_default_scale, "the scale is applied twice", Scale::squared, always);
  scale(fault::wrong_default_scale, "1/sqrt(D_v)", Scale::by_value_width, by_default);
  scale(fault::wrong_default_scale, "1/sqrt(H D)", Scale::by_heads, by_default);
  scale(fault::wrong_default_scale, "1/sqrt(D), D rounded up to a multiple of 8", Scale::by_width_of_8, by_default);
  scale(fault::wrong_default_scale, "1/sqrt(N_k)", Scale::by_keys, by_default);
  list.add(fault::wrong_at_partial_vectors, "the last feature of an odd width is left out", always,
           [](Semantics& s) { s.odd_width_cut = true; });

  using Softcap = Semantics::Softcap;
  const auto softcap = [&](const Fault& fault, const char* text, Softcap which, const Applies& applies = has_softcap) {
    list.add(fault, text, applies, [which](Semantics& s) { s.softcap = which; });
  };
  softcap(fault::softcap_ignored, "no cap", Softcap::ignored);
  softcap(fault::softcap_applied_wrongly, "tanh(logit / c) without the factor c", Softcap::without_factor);
  softcap(fault::softcap_applied_wrongly, "the cap comes before the scale", Softcap::before_scale);
  softcap(fault::softcap_applied_wrongly, "logit tanh(logit / c)", Softcap::times_logit);
  softcap(fault::softcap_applied_after_the_bias, "bias and additive mask are capped too", Softcap::after_bias,
          [](const CaseSpec& s) { return s.softcap != 0 && (!s.bias.empty() || s.alibi || has_additive(s)); });

  using Bias = Semantics::BiasIs;
  const auto bias = [&](const Fault& fault, const char* text, Bias which) {
    list.add(fault, text, has_bias, [which](Semantics& s) { s.bias = which; });
  };
  bias(fault::bias_ignored, "the bias has no effect", Bias::ignored);
  bias(fault::bias_applied_wrongly, "the bias is subtracted", Bias::negated);
  bias(fault::bias_applied_wrongly, "the bias is added twice", Bias::doubled);
  bias(fault::bias_applied_wrongly, "the bias is added before the scale", Bias::before_scale);
  bias(fault::bias_applied_wrongly, "the bias is read by columns", Bias::transposed);
  bias(fault::mixed_up, "the first head's bias for all", Bias::first_head);
  bias(fault::mixed_up, "the biases of the heads in reverse order", Bias::reversed_heads);

  using Alibi = Semantics::Alibi;
  const auto alibi = [&](const Fault& fault, const char* text, Alibi which) {
    list.add(fault, text, has_alibi, [which](Semantics& s) { s.alibi = which; });
  };
  alibi(fault::alibi_aligned_to_the_wrong_corner, "distances from the other diagonal", Alibi::other_corner);
  alibi(fault::alibi_distances_wrong, "signed distances", Alibi::signed_distance);
  alibi(fault::alibi_distances_wrong, "the term has the other sign", Alibi::negated);
  alibi(fault::alibi_distances_wrong, "the term is multiplied by the scale", Alibi::scaled);
  alibi(fault::alibi_distances_wrong, "the term is doubled", Alibi::doubled);
  alibi(fault::alibi_distances_wrong, "distances are off by one", Alibi::one_off);
  alibi(fault::alibi_distances_wrong, "the slope times the key's place is added", Alibi::by_column);
  alibi(fault::alibi_distances_wrong, "distances from the first key", Alibi::from_first_key);
  alibi(fault::alibi_distances_wrong, "distances from the last key", Alibi::from_last_key);
  alibi(fault::alibi_distances_wrong, "the slopes given are not used", Alibi::default_slopes);
  alibi(fault::alibi_distances_wrong, "no such term", Alibi::ignored);
  alibi(fault::mixed_up, "the first head's slope for all", Alibi::first_head);
  alibi(fault::mixed_up, "the slopes in reverse order", Alibi::reversed_heads);

  using Sinks = Semantics::Sinks;
  const auto sinks = [&](const Fault& fault, const char* text, Sinks which) {
    list.add(fault, text, has_sinks, [which](Semantics& s) { s.sinks = which; });
  };
  sinks(fault::sinks_ignored, "no sink in the denominator", Sinks::ignored);
  sinks(fault::sinks_counted_wrongly, "the sink counts twice", Sinks::twice);
  sinks(fault::sinks_counted_wrongly, "the sink is multiplied by the scale", Sinks::scaled);
  sinks(fault::sinks_counted_wrongly, "the sink is added to the first key's logit", Sinks::at_first_key);
  sinks(fault::mixed_up, "the first head's sink for all", Sinks::first_head);
}

void add_mapping(HypothesisList& list) {
  using Heads = Semantics::Heads;
  list.add(fault::key_heads_mapped_wrongly, "query head h reads key head h mod H_kv", is_grouped,
           [](Semantics& s) { s.heads = Heads::tiled; });
  list.add(fault::key_heads_mapped_wrongly, "every query head reads key head 0", is_grouped,
           [](Semantics& s) { s.heads = Heads::first; });
  list.add(fault::key_heads_mapped_wrongly, "key heads are read in reverse order", is_grouped,
           [](Semantics& s) { s.heads = Heads::reversed; });
  list.add(fault::key_heads_mapped_wrongly, "every head reads head 0", many_heads,
           [](Semantics& s) { s.heads = Heads::first; });
  list.add(fault::key_heads_mapped_wrongly, "every head reads the keys and values of the next one", many_heads,
           [](Semantics& s) { s.heads = Heads::next; });
  list.add(fault::mixed_up, "every head reads the next one's values", many_heads,
           [](Semantics& s) { s.value_heads = Semantics::ValueHeads::next; });
  list.add(fault::mixed_up, "every head reads the values of head 0", many_heads,
           [](Semantics& s) { s.value_heads = Semantics::ValueHeads::first; });
  list.add(fault::mixed_up, "every sequence reads sequence 0", many_sequences,
           [](Semantics& s) { s.batches = Semantics::Batches::first; });
  list.add(fault::mixed_up, "every sequence reads the next one", many_sequences,
           [](Semantics& s) { s.batches = Semantics::Batches::next; });
  list.add(fault::queries_and_keys_exchanged, "q and k change places", always, [](Semantics& s) { s.swapped = true; });
  list.add(
      fault::wrong_when_values_have_another_width, "rows of v are stepped through by D",
      [](const CaseSpec& s) { return s.width != s.value_width; }, [](Semantics& s) { s.values_by_key_width = true; });
  list.add(fault::wrong_values, "v is read one row late", always, [](Semantics& s) { s.values_next_key = true; });

  using Packed = Semantics::Packed;
  const auto packed = [&](const Fault& fault, const char* text, Packed which) {
    list.add(fault, text, is_packed, [which](Semantics& s) { s.packed = which; });
  };
  packed(fault::packed_sequences_see_each_other, "the bounds have no effect", Packed::ignored);
  packed(fault::packed_sequences_see_each_other, "bounds of the keys are one late", Packed::one_late);
  packed(fault::packed_sequences_see_each_other, "bounds of the keys are one early", Packed::one_early);
  packed(fault::packed_sequences_see_each_other, "keys are cut by the bounds of the queries",
         Packed::keys_by_query_bounds);
  packed(fault::packed_sequences_see_each_other, "two sequences are taken for one", Packed::pairs);
  packed(fault::visible_keys_are_skipped, "the last sequence is left out", Packed::last_ignored);
  packed(fault::visible_keys_are_skipped, "only the first sequence is computed", Packed::first_only);
}

void add_tiles(HypothesisList& list) {
  using Keys = Semantics::Keys;
  const Fault& multiples = fault::partial_tiles;
  const Fault& across = fault::wrong_across_tiles_of_keys;
  for (const Index tile : {4, 8, 16, 32, 64, 128}) {
    const Applies longer = [tile](const CaseSpec& s) { return s.keys > tile; };
    const auto keys = [&](const Fault& fault, std::string text, Keys which, const Applies& applies) {
      list.add(fault, std::move(text), applies, [=](Semantics& s) { s.keys = which, s.tile = tile; });
    };
    keys(multiples, fmt::format("keys after the last whole tile of {} are left out", tile),
         Keys::last_partial_tile_dropped, [tile](const CaseSpec& s) { return s.keys % tile != 0; });
    keys(multiples, fmt::format("padding to a tile of {} weighs exp(0)", tile), Keys::last_partial_tile_padded,
         [tile](const CaseSpec& s) { return s.keys % tile != 0; });
    keys(across, fmt::format("the first tile of {} counts twice", tile), Keys::first_tile_twice, longer);
    keys(across, fmt::format("the second tile of {} is lost", tile), Keys::second_tile_lost,
         [tile](const CaseSpec& s) { return s.keys > 2 * tile; });
    list.add(across, fmt::format("a larger maximum in a tile of {} rescales the sum alone", tile), longer,
             [=](Semantics& s) { s.two_tiles_forget_rescale = true, s.tile = tile; });
    list.add(across, fmt::format("a larger maximum in a tile of {} rescales the output alone", tile), longer,
             [=](Semantics& s) { s.normaliser_not_rescaled = true, s.tile = tile; });
  }
  for (const Index parts : {2, 3, 4, 7, 8}) {
    list.add(across, fmt::format("{} parts of the keys are averaged without their weights", parts), always,
             [=](Semantics& s) { s.parts = Semantics::Parts::averaged, s.tile = parts; });
    list.add(across, fmt::format("{} parts of the keys are weighted by 2^lse", parts), always,
             [=](Semantics& s) { s.parts = Semantics::Parts::base_2, s.tile = parts; });
  }
  list.add(fault::visible_keys_are_skipped, "the last key is not seen", always,
           [](Semantics& s) { s.keys = Keys::last_dropped; });
  list.add(fault::visible_keys_are_skipped, "the first key is not seen", always,
           [](Semantics& s) { s.keys = Keys::first_dropped; });
  list.add(fault::rows_do_not_sum_to_1, "the last key counts twice", always,
           [](Semantics& s) { s.keys = Keys::last_twice; });
  const Applies many = [](const CaseSpec& s) { return s.keys > 65536; };
  list.add(fault::beyond_64k_keys, "indices wrap at 65,536", many,
           [](Semantics& s) { s.keys = Keys::index_of_16_bits; });
  list.add(fault::beyond_64k_keys, "indices of values wrap at 65,536", many,
           [](Semantics& s) { s.keys = Keys::values_of_16_bits; });
  list.add(fault::beyond_64k_keys, "keys beyond are not seen", many, [](Semantics& s) { s.keys = Keys::only_64k; });
}

void add_dropout(HypothesisList& list) {
  using Dropout = Semantics::Dropout;
  const auto dropout = [&](const Fault& fault, const char* text, Dropout which) {
    list.add(fault, text, has_dropout, [which](Semantics& s) { s.dropout = which; });
  };
  dropout(fault::dropout_mask_inverted, "true drops", Dropout::inverted);
  dropout(fault::dropout_scaled_wrongly, "kept weights are not divided by the kept share", Dropout::not_rescaled);
  dropout(fault::dropout_scaled_wrongly, "weights are normalised again after dropout", Dropout::normalised_again);
  dropout(fault::dropout_scaled_wrongly, "kept weights are divided twice", Dropout::scaled_twice);
  dropout(fault::dropout_keeps_the_wrong_fraction, "everything is dropped", Dropout::all_dropped);
  dropout(fault::dropout_mask_of_another_head, "the first head's mask for all", Dropout::first_head);
  dropout(fault::dropout_mask_of_another_head, "the first sequence's mask for all", Dropout::first_sequence);
  dropout(fault::dropout_mask_of_another_head, "the mask is read by columns", Dropout::transposed);
  dropout(fault::dropout_ignored, "the mask has no effect", Dropout::ignored);
}

void add_lse(HypothesisList& list) {
  using Lse = Semantics::Lse;
  const auto lse = [&](const Fault& fault, const char* text, Lse which, const Applies& applies = always) {
    list.add(
        fault, text, applies, [which](Semantics& s) { s.lse = which; }, Of::output);
  };
  lse(fault::lse_in_base_2, "the logarithm to base 2", Lse::base_2);
  lse(fault::wrong_lse, "the largest logit is not added", Lse::without_largest);
  lse(fault::wrong_lse, "the largest logit is not scaled", Lse::without_scale);
  lse(fault::wrong_lse, "the largest logit alone", Lse::largest_only);
  lse(fault::wrong_lse, "the other sign", Lse::negated);
  lse(fault::wrong_lse, "zero", Lse::zero);
  lse(fault::wrong_lse, "weights are summed after dropout", Lse::after_dropout, has_dropout);
}

}  // namespace

const std::vector<Hypothesis>& hypotheses() {
  static const std::vector<Hypothesis> all = [] {
    HypothesisList list;
    add_outputs(list);
    add_causal(list);
    add_window(list);
    add_diagonals(list);
    add_masks(list);
    add_terms(list);
    add_mapping(list);
    add_dropout(list);
    add_tiles(list);
    add_lse(list);
    add_gradient_hypotheses(list);
    return std::move(list.all);
  }();
  return all;
}

}  // namespace attest::judge
