#include "simulations/judge/diagnosis/remaining.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "simulations/judge/diagnosis/failures.hpp"
#include "simulations/judge/diagnosis/features.hpp"
#include "simulations/judge/diagnosis/needed_features.hpp"
#include "simulations/judge/diagnosis/read_weights.hpp"
#include "simulations/judge/diagnosis/tile_lengths.hpp"

namespace attest::judge {
namespace {

class Remaining {
 public:
  Remaining(std::vector<Record>& records, Target& target, const TrialSettings& settings)
      : records_(records), target_(target), settings_(settings) {}

  void name(bool gradient) {
    std::map<std::string, std::vector<Open>> by_output;
    std::set<const Record*> wrong_out;
    for (const Open& one : open_failures(records_, gradient)) {
      by_output[one.failure->output == "lse" ? "lse" : gradient ? "gradients" : "out"].push_back(one);
      if (one.failure->output == "out") wrong_out.insert(one.record);
    }
    std::vector<Open>& of_out = by_output["out"];
    std::vector<Open>& of_lse = by_output["lse"];
    for (const Open& one : of_lse)
      if (wrong_out.contains(one.record)) of_out.push_back(one);
    std::erase_if(of_lse, [&](const Open& one) { return wrong_out.contains(one.record); });
    for (auto& [output, failures] : by_output) {
      if (failures.empty()) continue;
      // Wide types say more; then the cheapest case.
      std::stable_sort(failures.begin(), failures.end(), [](const Open& a, const Open& b) {
        const bool narrow_a = is_narrow(a.record->spec), narrow_b = is_narrow(b.record->spec);
        return narrow_a != narrow_b ? narrow_b : cost(a.record->spec) < cost(b.record->spec);
      });
      Fault found;
      if (right_when_fresh(*failures.front().record))
        found = fault::depends_on_earlier_calls;
      else if (output == "lse")
        found = fault::wrong_lse;
      else
        found = gradient ? fault_of_gradients(failures) : fault_of_outputs(failures);
      for (const Open& one : failures) one.failure->fault = found, one.failure->guessed = true;
    }
  }

 private:
  static bool all_have(const std::vector<Open>& failures, bool (*has)(const CaseSpec&)) {
    return std::all_of(failures.begin(), failures.end(), [&](const Open& one) { return has(one.record->spec); });
  }

  Fault fault_of_outputs(const std::vector<Open>& failures) {
    if (all_have(failures, [](const CaseSpec& s) { return s.keys > 65536; })) return fault::beyond_64k_keys;
    if (all_have(failures, [](const CaseSpec& s) { return s.property == Property::far_strides; }))
      return fault::beyond_2g_entries;
    // What ignores strides ignores far ones, too.
    if (all_have(failures, [](const CaseSpec& s) {
          return s.property == Property::strides || s.property == Property::far_strides;
        }))
      return fault::strides_ignored;
    const CaseSpec& cheapest = failures.front().record->spec;
    const Needed needed = least_needed(failures);
    if (const Fault by_part = fault_of_part(needed)) return by_part;
    const bool softmax = is_plain_attention(cheapest.mechanism);
    if (needed.parts.empty() && needed.spec.keys <= 300) {
      const Fault by_lengths = fault_by_lengths(needed.spec, "out", target_, settings_);
      if (by_lengths) return by_lengths;
    }
    if (const Fault read = fault_by_weights(needed, target_, settings_, widths_differ())) return read;
    // The cheapest case may be too small to show which weights are off.
    int asked = 0;
    for (const Open& one : failures) {
      if (++asked > 12) break;
      const Needed larger{one.record->spec, needed.parts};
      if (const Fault read = fault_by_weights(larger, target_, settings_, widths_differ())) return read;
    }
    if (needed.has(Part::mask)) return fault::mask_applied_wrongly;
    if (needed.has(Part::window)) return fault::sliding_window_has_the_wrong_width;
    if (needed.has(Part::packed)) return fault::packed_sequences_see_each_other;
    // Statistics over keys that are not seen leave no trace in the weights.
    if (needed.has(Part::causal)) return softmax ? fault::causal_mask_applied_wrongly : fault::causal_ignored;
    return fault::wrong_values;
  }

  /// Of the cheapest failing case; but where others fail without any of what it needs, of the cheapest of those.
  Needed least_needed(const std::vector<Open>& failures) {
    Needed needed = needed_features(failures.front().record->spec, "out", target_, settings_);
    for (const Open& one : failures) {
      const CaseSpec& spec = one.record->spec;
      if (needed.parts.empty()) break;
      if (one.failure->output != "out" || compares_calls(spec) ||
          std::any_of(needed.parts.begin(), needed.parts.end(), [&](Part part) { return has_part(spec, part); }))
        continue;
      needed = needed_features(spec, "out", target_, settings_);
    }
    return needed;
  }

  /// What names the class by itself; masks and packed sequences only where heads or sequences matter too.
  Fault fault_of_part(const Needed& needed) const {
    const bool mapped = needed.has(Part::heads) || needed.has(Part::batch);
    if (needed.has(Part::sinks)) return mapped ? fault::mixed_up : fault::sinks_counted_wrongly;
    if (needed.has(Part::dropout)) return mapped ? fault::dropout_mask_of_another_head : fault::dropout_scaled_wrongly;
    if (needed.has(Part::alibi)) return mapped ? fault::mixed_up : fault::alibi_distances_wrong;
    if (needed.has(Part::bias)) return mapped ? fault::mixed_up : fault::bias_applied_wrongly;
    if (needed.has(Part::softcap)) return fault::softcap_applied_wrongly;
    if (needed.has(Part::padding)) return fault::padded_keys_take_part;
    if (needed.has(Part::mask) && mapped) return fault::mask_of_another_head_or_sequence;
    if (needed.has(Part::mask) || needed.has(Part::window) || needed.has(Part::causal) || needed.has(Part::packed))
      return {};
    if (needed.has(Part::scale)) return fault::scale_applied_wrongly;
    if (needed.has(Part::grouped_keys)) return fault::key_heads_mapped_wrongly;
    if (needed.has(Part::wide_heads)) return fault::wrong_at_wide_heads;
    if (needed.has(Part::value_width)) return fault::wrong_when_values_have_another_width;
    if (mapped && !kept_apart(needed)) return fault::mixed_up;
    if (needed.has(Part::heads) && has_slopes(needed.spec.mechanism)) return fault::alibi_slopes_wrong;
    if (needed.has(Part::partial_vector)) return fault::wrong_at_partial_vectors;
    if (needed.has(Part::large_logits))
      return needed.spec.family == "negative" ? fault::underflow_at_very_negative_logits
                                              : fault::overflow_at_large_logits;
    return {};
  }

  Fault fault_of_gradients(const std::vector<Open>& failures) const {
    std::vector<const CaseSpec*> fails, passes;
    std::set<std::string> outputs;
    for (const Open& one : failures) {
      fails.push_back(&one.record->spec);
      outputs.insert(one.failure->output);
    }
    for (const Record& record : records_)
      if (record.judged && record.failures.empty() && record.spec.gradient) passes.push_back(&record.spec);
    if (swapped(failures)) return fault::dk_and_dv_swapped;
    if (outputs.size() > 1) outputs.erase("dbias");
    if (const Fault by_feature = fault_by_feature(fails, passes)) return by_feature;
    for (const auto& [output, wrong] : {std::pair{"dq", fault::wrong_dq}, std::pair{"dk", fault::wrong_dk},
                                        std::pair{"dv", fault::wrong_dv}, std::pair{"dbias", fault::wrong_dbias}})
      if (outputs == std::set<std::string>{output}) return wrong;
    return outputs == std::set<std::string>{"dk", "dq"} ? fault::wrong_dq_and_dk : fault::wrong_gradients;
  }

  /// Whether heads and sequences do not depend on each other: what needs several of them is then wrong for another
  /// reason. Of softmax where the failure needs special numbers as well, for who reads another head's does so whatever
  /// they are; of other mechanisms where that was asked, as slopes may follow from the number of heads.
  bool kept_apart(const Needed& needed) const {
    if (is_plain_attention(needed.spec.mechanism)) return needed.has(Part::family) || needed.has(Part::large_logits);
    const auto asks = [](const Record& r) {
      return r.judged && (r.spec.property == Property::heads || r.spec.property == Property::sequences);
    };
    return std::any_of(records_.begin(), records_.end(), asks) &&
           std::none_of(records_.begin(), records_.end(),
                        [&](const Record& r) { return asks(r) && !r.failures.empty(); });
  }

  bool widths_differ() const {
    return std::any_of(records_.begin(), records_.end(),
                       [](const Record& r) { return r.judged && r.spec.width != r.spec.value_width; });
  }

  bool swapped(const std::vector<Open>& failures) const {
    for (const Open& one : failures) {
      const Record& record = *one.record;
      if (!is_plain_attention(record.spec.mechanism)) return false;
      const auto dk = record.actual.find("dk"), dv = record.actual.find("dv");
      if (dk == record.actual.end() || dv == record.actual.end() || dk->second.size() != dv->second.size()) continue;
      const Expected expected = expected_attention(problem_of(record.spec), precision_for(record.spec, settings_));
      return distance(expected.dk, dv->second).ratio <= 1 && distance(expected.dv, dk->second).ratio <= 1;
    }
    return false;
  }

  bool right_when_fresh(const Record& record) {
    target_.start_afresh();
    const Record again = run_trial(record.spec, target_, settings_);
    return again.judged && again.failures.empty();
  }

  std::vector<Record>& records_;
  Target& target_;
  const TrialSettings& settings_;
};

}  // namespace

void name_remaining(std::vector<Record>& records, Target& target, const TrialSettings& settings, bool gradient) {
  Remaining(records, target, settings).name(gradient);
}

}  // namespace attest::judge
