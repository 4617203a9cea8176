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
      "output is zero", "zeros are returned", always, [](Semantics& s) { s.rows = Rows::zeros; }, Of::output);
  list.add(
      "output is zero", "zeros are returned, lse too", always,
      [](Semantics& s) { s.rows = Rows::zeros, s.lse = Semantics::Lse::zero; }, Of::output);
  list.add(
      "output does not depend on the logits", "the mean of the visible values is returned", always,
      [](Semantics& s) { s.rows = Rows::mean_of_seen; }, Of::output);
  list.add(
      "output does not depend on the logits", "the mean of all values is returned", always,
      [](Semantics& s) { s.rows = Rows::mean_of_values; }, Of::output);
  list.add(
      "softmax over the wrong axis", "weights are normalised over the queries", always,
      [](Semantics& s) { s.rows = Rows::over_queries; }, Of::output);
  list.add(
      "rows of weights do not sum to 1", "weights are not divided by their sum", always,
      [](Semantics& s) { s.rows = Rows::not_normalised; }, Of::output);
}

void add_causal(HypothesisList& list) {
  using Causal = Semantics::Causal;
  const auto causal = [&](const char* name, const char* text, Causal which) {
    list.add(name, text, is_causal, [which](Semantics& s) { s.causal = which; });
  };
  causal("causal mask aligned to the wrong corner", "the diagonal ends at the other corner", Causal::other_corner);
  causal("causal mask off by one", "a query does not see its own key", Causal::strict);
  causal("causal mask off by one", "a query sees the key after its own", Causal::one_ahead);
  causal("causal mask transposed", "a query sees the keys from its own on", Causal::reversed);
  causal("causal ignored", "every key is seen", Causal::ignored);
  list.add(
      "causal ignored", "the causal mask is that of the first sequence alone",
      [](const CaseSpec& c) { return c.causal && c.batch > 1; },
      [](Semantics& c) { c.causal = Causal::first_sequence_only; });
  list.add(
      "causal ignored", "the causal mask is that of the first head alone",
      [](const CaseSpec& c) { return c.causal && c.heads > 1; },
      [](Semantics& c) { c.causal = Causal::first_head_only; });
  for (const Index tile : {2, 4, 8, 16, 32, 64})
    list.add("causal mask off by one", fmt::format("the tile of {} on the diagonal is seen whole", tile), is_causal,
             [tile](Semantics& c) { c.causal = Causal::diagonal_tile_whole, c.tile = tile; });
  const Applies packed_causal = [](const CaseSpec& c) { return c.causal && !c.packed.empty(); };
  list.add("packed sequences see each other", "causal positions are counted from the start of the buffer",
           packed_causal, [](Semantics& c) { c.causal = Causal::whole_batch_positions; });
  list.add("packed sequences see each other", "positions of queries are counted from the start of the buffer",
           packed_causal, [](Semantics& c) { c.causal = Causal::queries_from_start; });
  list.add("visible keys are skipped", "keys before the chunk of queries are not seen", is_causal,
           [](Semantics& s) { s.keys = Semantics::Keys::cached_dropped; });
}

void add_window(HypothesisList& list) {
  using Is = Semantics::WindowIs;
  const char* width = "sliding window has the wrong width";
  list.add("window ignored", "every key is seen", has_window, [](Semantics& s) { s.window = Is::ignored; });
  list.add("sliding window aligned to the wrong corner", "the window follows the other diagonal", has_window,
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
  list.add("window ignored", "the window has no effect beside the causal mask", has_window,
           [](Semantics& s) { s.window = Is::not_with_causal; });
}

void add_masks(HypothesisList& list) {
  using Mask = Semantics::Mask;
  using Masked = Semantics::Masked;
  const auto mask = [&](const char* name, const char* text, Mask which, const Applies& applies = has_mask) {
    list.add(name, text, applies, [which](Semantics& s) { s.mask = which; });
  };
  mask("mask inverted", "true hides", Mask::inverted);
  mask("mask transposed", "the mask is read by columns", Mask::transposed);
  mask("mask of another head or sequence", "the first sequence's mask for all", Mask::first_sequence);
  mask("mask of another head or sequence", "the first head's mask for all", Mask::first_head);
  mask("float mask read as boolean", "entries other than 0 are taken for true", Mask::cast_to_boolean, has_additive);
  mask("float mask read as boolean", "only -infinity has an effect", Mask::only_boolean, has_additive);
  mask("mask applied wrongly", "the mask is added before the scale", Mask::before_scale, has_additive);
  mask("mask applied wrongly", "the mask is subtracted", Mask::negated, has_additive);
  mask("mask applied wrongly", "true adds 1 to the logit", Mask::added_as_number, has_boolean);
  mask("mask ignored", "the mask has no effect", Mask::ignored);
  mask("mask ignored", "the mask has no effect beside the causal mask", Mask::not_with_causal);
  const auto masked = [&](const char* name, const char* text, Masked which, const Applies& applies = hides) {
    list.add(name, text, applies, [which](Semantics& s) { s.masked = which; });
  };
  masked("softcap applied after the mask", "hidden keys have the logit -cap", Masked::capped,
         [](const CaseSpec& s) { return s.softcap != 0 && hides(s); });
  masked("rows of weights do not sum to 1", "hidden weights are cleared after the softmax", Masked::after_normalising);
  masked("masked keys get weight", "hidden keys have the logit 0", Masked::zero_logit);
  for (const double by : {-1e4, -1e3, -100.0, -30.0, -10.0}) {
    list.add("masked keys get weight", fmt::format("{:g} is added to hidden logits", by), hides,
             [by](Semantics& s) { s.masked = Masked::lowered, s.hidden_logit = by; });
    list.add("masked keys get weight", fmt::format("hidden logits are {:g}", by), hides,
             [by](Semantics& s) { s.masked = Masked::replaced, s.hidden_logit = by; });
  }
}

void add_terms(HypothesisList& list) {
  using Scale = Semantics::Scale;
  const auto scale = [&](const char* name, const char* text, Scale which, const Applies& applies) {
    list.add(name, text, applies, [which](Semantics& s) { s.scale = which; });
  };
  const auto given = [](const CaseSpec& s) { return s.scale != 0; };
  const auto by_default = [](const CaseSpec& s) { return s.scale == 0; };
  scale("scale ignored", "1/sqrt(D) whatever scale is asked for", Scale::default_always, given);
  scale("wrong default scale", "no scale", Scale::one, by_default);
  scale("wrong default scale", "1/D", Scale::by_width, by_default);
  scale("wrong default scale", "the scale is applied twice", Scale::squared, always);
  scale("wrong default scale", "1/sqrt(D_v)", Scale::by_value_width, by_default);
  scale("wrong default scale", "1/sqrt(H D)", Scale::by_heads, by_default);
  scale("wrong default scale", "1/sqrt(D), D rounded up to a multiple of 8", Scale::by_width_of_8, by_default);
  scale("wrong default scale", "1/sqrt(N_k)", Scale::by_keys, by_default);
  list.add("wrong at odd widths", "the last feature of an odd width is left out", always,
           [](Semantics& s) { s.odd_width_cut = true; });

  using Softcap = Semantics::Softcap;
  const auto softcap = [&](const char* name, const char* text, Softcap which, const Applies& applies = has_softcap) {
    list.add(name, text, applies, [which](Semantics& s) { s.softcap = which; });
  };
  softcap("softcap ignored", "no cap", Softcap::ignored);
  softcap("softcap applied wrongly", "tanh(logit / c) without the factor c", Softcap::without_factor);
  softcap("softcap applied wrongly", "the cap comes before the scale", Softcap::before_scale);
  softcap("softcap applied wrongly", "logit tanh(logit / c)", Softcap::times_logit);
  softcap("softcap applied after the bias", "bias and additive mask are capped too", Softcap::after_bias,
          [](const CaseSpec& s) { return s.softcap != 0 && (!s.bias.empty() || s.alibi || has_additive(s)); });

  using Bias = Semantics::BiasIs;
  const auto bias = [&](const char* name, const char* text, Bias which) {
    list.add(name, text, has_bias, [which](Semantics& s) { s.bias = which; });
  };
  bias("bias ignored", "the bias has no effect", Bias::ignored);
  bias("bias applied wrongly", "the bias is subtracted", Bias::negated);
  bias("bias applied wrongly", "the bias is added twice", Bias::doubled);
  bias("bias applied wrongly", "the bias is added before the scale", Bias::before_scale);
  bias("bias applied wrongly", "the bias is read by columns", Bias::transposed);
  bias("sequences or heads are mixed up", "the first head's bias for all", Bias::first_head);
  bias("sequences or heads are mixed up", "the biases of the heads in reverse order", Bias::reversed_heads);

  using Alibi = Semantics::Alibi;
  const auto alibi = [&](const char* name, const char* text, Alibi which) {
    list.add(name, text, has_alibi, [which](Semantics& s) { s.alibi = which; });
  };
  alibi("ALiBi aligned to the wrong corner", "distances from the other diagonal", Alibi::other_corner);
  alibi("ALiBi distances wrong", "signed distances", Alibi::signed_distance);
  alibi("ALiBi distances wrong", "the term has the other sign", Alibi::negated);
  alibi("ALiBi distances wrong", "the term is multiplied by the scale", Alibi::scaled);
  alibi("ALiBi distances wrong", "the term is doubled", Alibi::doubled);
  alibi("ALiBi distances wrong", "distances are off by one", Alibi::one_off);
  alibi("ALiBi distances wrong", "the slopes given are not used", Alibi::default_slopes);
  alibi("ALiBi distances wrong", "no such term", Alibi::ignored);
  alibi("sequences or heads are mixed up", "the first head's slope for all", Alibi::first_head);
  alibi("sequences or heads are mixed up", "the slopes in reverse order", Alibi::reversed_heads);

  using Sinks = Semantics::Sinks;
  const auto sinks = [&](const char* name, const char* text, Sinks which) {
    list.add(name, text, has_sinks, [which](Semantics& s) { s.sinks = which; });
  };
  sinks("sinks ignored", "no sink in the denominator", Sinks::ignored);
  sinks("sinks counted wrongly", "the sink counts twice", Sinks::twice);
  sinks("sinks counted wrongly", "the sink is multiplied by the scale", Sinks::scaled);
  sinks("sinks counted wrongly", "the sink is added to the first key's logit", Sinks::at_first_key);
  sinks("sequences or heads are mixed up", "the first head's sink for all", Sinks::first_head);
}

void add_mapping(HypothesisList& list) {
  using Heads = Semantics::Heads;
  list.add("key heads mapped wrongly", "query head h reads key head h mod H_kv", is_grouped,
           [](Semantics& s) { s.heads = Heads::tiled; });
  list.add("key heads mapped wrongly", "every query head reads key head 0", is_grouped,
           [](Semantics& s) { s.heads = Heads::first; });
  list.add("key heads mapped wrongly", "key heads are read in reverse order", is_grouped,
           [](Semantics& s) { s.heads = Heads::reversed; });
  list.add("key heads mapped wrongly", "every head reads head 0", many_heads,
           [](Semantics& s) { s.heads = Heads::first; });
  list.add("key heads mapped wrongly", "every head reads the keys and values of the next one", many_heads,
           [](Semantics& s) { s.heads = Heads::next; });
  list.add("sequences or heads are mixed up", "every head reads the next one's values", many_heads,
           [](Semantics& s) { s.value_heads = Semantics::ValueHeads::next; });
  list.add("sequences or heads are mixed up", "every head reads the values of head 0", many_heads,
           [](Semantics& s) { s.value_heads = Semantics::ValueHeads::first; });
  list.add("sequences or heads are mixed up", "every sequence reads sequence 0", many_sequences,
           [](Semantics& s) { s.batches = Semantics::Batches::first; });
  list.add("sequences or heads are mixed up", "every sequence reads the next one", many_sequences,
           [](Semantics& s) { s.batches = Semantics::Batches::next; });
  list.add("queries and keys exchanged", "q and k change places", always, [](Semantics& s) { s.swapped = true; });
  list.add(
      "wrong when values have another width", "rows of v are stepped through by D",
      [](const CaseSpec& s) { return s.width != s.value_width; }, [](Semantics& s) { s.values_by_key_width = true; });
  list.add("wrong values", "v is read one row late", always, [](Semantics& s) { s.values_next_key = true; });

  using Packed = Semantics::Packed;
  const auto packed = [&](const char* name, const char* text, Packed which) {
    list.add(name, text, is_packed, [which](Semantics& s) { s.packed = which; });
  };
  packed("packed sequences see each other", "the bounds have no effect", Packed::ignored);
  packed("packed sequences see each other", "bounds of the keys are one late", Packed::one_late);
  packed("packed sequences see each other", "bounds of the keys are one early", Packed::one_early);
  packed("packed sequences see each other", "keys are cut by the bounds of the queries", Packed::keys_by_query_bounds);
  packed("packed sequences see each other", "two sequences are taken for one", Packed::pairs);
  packed("visible keys are skipped", "the last sequence is left out", Packed::last_ignored);
  packed("visible keys are skipped", "only the first sequence is computed", Packed::first_only);
}

void add_tiles(HypothesisList& list) {
  using Keys = Semantics::Keys;
  const char* multiples = "wrong at lengths that are not multiples of the tile";
  const char* across = "wrong across tiles of keys";
  for (const Index tile : {4, 8, 16, 32, 64, 128}) {
    const Applies longer = [tile](const CaseSpec& s) { return s.keys > tile; };
    const auto keys = [&](const char* name, std::string text, Keys which, const Applies& applies) {
      list.add(name, std::move(text), applies, [=](Semantics& s) { s.keys = which, s.tile = tile; });
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
  list.add("visible keys are skipped", "the last key is not seen", always,
           [](Semantics& s) { s.keys = Keys::last_dropped; });
  list.add("visible keys are skipped", "the first key is not seen", always,
           [](Semantics& s) { s.keys = Keys::first_dropped; });
  list.add("rows of weights do not sum to 1", "the last key counts twice", always,
           [](Semantics& s) { s.keys = Keys::last_twice; });
  const Applies many = [](const CaseSpec& s) { return s.keys > 65536; };
  list.add("wrong beyond 65,536 keys", "indices wrap at 65,536", many,
           [](Semantics& s) { s.keys = Keys::index_of_16_bits; });
  list.add("wrong beyond 65,536 keys", "indices of values wrap at 65,536", many,
           [](Semantics& s) { s.keys = Keys::values_of_16_bits; });
  list.add("wrong beyond 65,536 keys", "keys beyond are not seen", many, [](Semantics& s) { s.keys = Keys::only_64k; });
}

void add_dropout(HypothesisList& list) {
  using Dropout = Semantics::Dropout;
  const auto dropout = [&](const char* name, const char* text, Dropout which) {
    list.add(name, text, has_dropout, [which](Semantics& s) { s.dropout = which; });
  };
  dropout("dropout mask inverted", "true drops", Dropout::inverted);
  dropout("dropout scaled wrongly", "kept weights are not divided by the kept share", Dropout::not_rescaled);
  dropout("dropout scaled wrongly", "weights are normalised again after dropout", Dropout::normalised_again);
  dropout("dropout scaled wrongly", "kept weights are divided twice", Dropout::scaled_twice);
  dropout("dropout keeps the wrong fraction", "everything is dropped", Dropout::all_dropped);
  dropout("dropout mask of another head", "the first head's mask for all", Dropout::first_head);
  dropout("dropout mask of another head", "the first sequence's mask for all", Dropout::first_sequence);
  dropout("dropout mask of another head", "the mask is read by columns", Dropout::transposed);
  dropout("dropout ignored", "the mask has no effect", Dropout::ignored);
}

void add_lse(HypothesisList& list) {
  using Lse = Semantics::Lse;
  const auto lse = [&](const char* name, const char* text, Lse which, const Applies& applies = always) {
    list.add(
        name, text, applies, [which](Semantics& s) { s.lse = which; }, Of::output);
  };
  lse("lse in base 2", "the logarithm to base 2", Lse::base_2);
  lse("wrong lse", "the largest logit is not added", Lse::without_largest);
  lse("wrong lse", "the largest logit is not scaled", Lse::without_scale);
  lse("wrong lse", "the largest logit alone", Lse::largest_only);
  lse("wrong lse", "the other sign", Lse::negated);
  lse("wrong lse", "zero", Lse::zero);
  lse("wrong lse", "weights are summed after dropout", Lse::after_dropout, has_dropout);
}

}  // namespace

const std::vector<Hypothesis>& hypotheses() {
  static const std::vector<Hypothesis> all = [] {
    HypothesisList list;
    add_outputs(list);
    add_causal(list);
    add_window(list);
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
