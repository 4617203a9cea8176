#include "simulations/judge/diagnosis/read_weights.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "simulations/judge/reference/mechanism_reference.hpp"
#include "simulations/judge/trial/answers.hpp"

namespace attest::judge {
namespace {

/// Weights as they are and as they belong, rows of `keys` entries.
struct Weights {
  std::vector<double> actual, wanted;
  std::vector<bool> hidden;  ///< the key must not have any weight
  Index queries = 0, keys = 0, shift = 0;
  double tolerance = 0;  ///< of one weight
};

/// Counts over all rows.
struct Compared {
  Index hidden_seen = 0,
        near_seen = 0;   ///< weight where there must be none; of these, at most two keys past the diagonal
  Index hidden_far = 0;  ///< hidden keys further than that from the diagonal
  Index visible_missing = 0, own_missing = 0;  ///< no weight where there should be one; of these, the query's own key
  bool sums_wrong = false;
  bool rows_lost = false;          ///< a row without any of its weights
  bool kept_right = true;          ///< every weight that is there and belongs there is right
  bool right_by_sums = true;       ///< every weight is right once its row is divided by the sum
  bool kept_in_proportion = true;  ///< within each row those that are there have the right ratios
};

Compared compared(const Weights& w) {
  Compared c;
  const auto keys = static_cast<std::size_t>(w.keys);
  for (std::size_t row = 0; (row + 1) * keys <= w.wanted.size(); ++row) {
    const Index position = static_cast<Index>(row) % w.queries + w.shift;
    double sum = 0, wanted_sum = 0, kept_sum = 0, kept_wanted = 0;
    for (std::size_t n = row * keys; n < (row + 1) * keys; ++n) {
      sum += w.actual[n], wanted_sum += w.wanted[n];
      if (w.actual[n] != 0 && !w.hidden[n]) kept_sum += w.actual[n], kept_wanted += w.wanted[n];
    }
    if (!(std::abs(sum - wanted_sum) <= w.tolerance * static_cast<double>(w.keys))) c.sums_wrong = true;
    if (kept_sum == 0 && wanted_sum != 0) c.rows_lost = true;
    for (std::size_t n = row * keys; n < (row + 1) * keys; ++n) {
      const Index past = static_cast<Index>(n - row * keys) - position;
      const double is = w.actual[n], want = w.wanted[n];
      if (w.hidden[n]) {
        if (is != 0) ++c.hidden_seen;
        if (is != 0 && past >= 1 && past <= 2) ++c.near_seen;
        if (past > 2) ++c.hidden_far;
      } else if (is == 0 && std::abs(want) > 1e-9) {
        ++c.visible_missing;
        if (past == 0) ++c.own_missing;
      } else {
        if (!(std::abs(is - want) <= 2 * w.tolerance)) c.kept_right = false;
        if (!(std::abs(is * kept_wanted - want * kept_sum) <= 8 * w.tolerance * (std::abs(kept_sum) + kept_wanted)))
          c.kept_in_proportion = false;
      }
      if (!(std::abs(is * wanted_sum - want * sum) <= 8 * w.tolerance * (std::abs(sum) + std::abs(wanted_sum))))
        c.right_by_sums = false;
    }
  }
  return c;
}

Fault fault_of_softmax(const Compared& c, const Needed& needed) {
  const bool mask = needed.has(Part::mask), window = needed.has(Part::window), packed = needed.has(Part::packed);
  if (c.hidden_seen > 0) {
    if (packed) return fault::packed_sequences_see_each_other;
    if (window) return fault::sliding_window_has_the_wrong_width;
    if (mask) return c.visible_missing > 0 ? fault::mask_applied_wrongly : fault::masked_keys_get_weight;
    if (!needed.has(Part::causal)) return {};
    if (c.hidden_seen == c.near_seen && c.hidden_far > 0) return fault::causal_mask_off_by_one;
    return c.visible_missing > 0 ? fault::causal_mask_applied_wrongly : fault::causal_ignored;
  }
  if (c.visible_missing > 0) {
    if (needed.has(Part::causal) && c.own_missing == c.visible_missing) return fault::causal_mask_off_by_one;
    // A softmax over fewer keys still sums to 1; weights that were cleared do not.
    return c.kept_right && c.sums_wrong && !c.rows_lost ? fault::rows_do_not_sum_to_1 : fault::visible_keys_are_skipped;
  }
  return c.sums_wrong && !mask && !window ? fault::rows_do_not_sum_to_1 : Fault{};
}

Fault fault_of_mechanism(const Compared& c, const Needed& needed) {
  const bool sparse = has_sparse_pattern(needed.spec.mechanism);
  if (c.hidden_seen > 0) {
    if (needed.has(Part::causal) && c.hidden_seen == c.near_seen && c.hidden_far > 0)
      return fault::causal_mask_off_by_one;
    return needed.has(Part::causal) ? fault::causal_ignored : sparse ? fault::wrong_sparse_pattern : Fault{};
  }
  if (c.visible_missing > 0 && sparse) return fault::wrong_sparse_pattern;
  if (c.visible_missing > 0 && needed.has(Part::causal) && c.own_missing == c.visible_missing)
    return fault::causal_mask_off_by_one;
  if (c.visible_missing > 0 && c.kept_in_proportion)
    return c.kept_right && c.sums_wrong ? fault::rows_do_not_sum_to_1 : fault::visible_keys_are_skipped;
  if (c.sums_wrong && c.right_by_sums) return fault::rows_do_not_sum_to_1;
  return needed.parts.empty() ? fault::wrong_values : Fault{};
}

/// With at least nine queries, where causal masks and windows show their shape.
CaseSpec longer(const CaseSpec& spec) {
  CaseSpec other = spec;
  if (!spec.packed.empty() || spec.queries >= 9 || !(spec.causal || spec.window)) return other;
  const Index gap = spec.keys - spec.queries;
  other.queries = 9;
  other.keys = std::max<Index>(1, 9 + gap);
  return other;
}

bool read_softmax(CaseSpec spec, Target& target, const TrialSettings& settings, bool widths_differ, Weights& weights) {
  spec.value_width = spec.keys;
  if (!widths_differ) spec.width = spec.keys;
  spec.gradient = spec.lse_gradient = false;
  spec.property = Property::values;
  spec.dropout = 0;
  Problem problem = problem_of(spec);
  for (std::size_t n = 0; n < problem.v.size(); ++n)
    problem.v[n] =
        static_cast<Index>(n) / problem.value_width % problem.keys == static_cast<Index>(n) % problem.value_width ? 1
                                                                                                                  : 0;
  Record record{.spec = spec};
  const auto outputs = outputs_of(request_of(problem, settings.conventions), problem, target, settings, record);
  if (!outputs || !outputs->contains("out")) return false;
  const Expected expected = expected_attention(problem, precision_for(spec, settings));
  const Judged& judged = expected.out;
  if (distance(judged, outputs->at("out")).ratio <= 1) return false;
  weights.wanted = judged.values;
  weights.actual = outputs->at("out");
  // What is not seen is told from what is small by the mask; weights that underflow are hidden as well.
  for (const double value : judged.values) weights.hidden.push_back(value == 0);
  weights.tolerance = *std::max_element(judged.bounds.begin(), judged.bounds.end());
  weights.shift = spec.corner == Corner::bottom_right ? spec.keys - spec.queries : 0;
  return true;
}

bool read_mechanism(CaseSpec spec, Target& target, const TrialSettings& settings, Weights& weights) {
  spec.value_width = spec.keys;
  spec.family = "identity";
  spec.gradient = false;
  std::map<std::string, Judged> expected;
  try {
    expected = expected_mechanism(spec, precision_for(spec, settings));
  } catch (const std::invalid_argument&) {
    return false;
  }
  Problem extents;
  extents.type = spec.type, extents.batch = spec.batch, extents.heads = extents.kv_heads = spec.heads;
  extents.queries = spec.queries, extents.keys = spec.keys, extents.width = spec.width, extents.value_width = spec.keys;
  Record record{.spec = spec};
  const auto outputs = outputs_of(mechanism_request(spec, call_of(spec), settings.conventions, nullptr), extents,
                                  target, settings, record);
  if (!outputs || !outputs->contains("out")) return false;
  const Judged& judged = expected["out"];
  if (distance(judged, outputs->at("out")).ratio <= 1) return false;
  weights.wanted = judged.values;
  weights.actual = outputs->at("out");
  const bool sparse = has_sparse_pattern(spec.mechanism);
  for (std::size_t n = 0; n < weights.wanted.size(); ++n) {
    const Index j = static_cast<Index>(n) % spec.keys, i = static_cast<Index>(n) / spec.keys % spec.queries;
    weights.hidden.push_back((spec.causal && j > i) || (sparse && weights.wanted[n] == 0));
  }
  // Linear attention's epsilon keeps sums below 1 by less than this.
  weights.tolerance = 1e-5;
  return true;
}

}  // namespace

Fault fault_by_weights(const Needed& needed, Target& target, const TrialSettings& settings, bool widths_differ) {
  constexpr Index most_keys = 400;
  if (needed.spec.keys > most_keys) return {};
  const bool softmax = is_plain_attention(needed.spec.mechanism);
  for (const CaseSpec& spec : {longer(needed.spec), needed.spec}) {
    Weights weights;
    weights.queries = spec.queries, weights.keys = spec.keys;
    const bool off = softmax ? read_softmax(spec, target, settings, widths_differ, weights)
                             : read_mechanism(spec, target, settings, weights);
    if (!off) continue;
    const Compared c = compared(weights);
    return softmax ? fault_of_softmax(c, needed) : fault_of_mechanism(c, needed);
  }
  return {};
}

}  // namespace attest::judge
