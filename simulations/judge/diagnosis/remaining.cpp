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
      std::string name;
      if (right_when_fresh(*failures.front().record))
        name = "a result depends on earlier calls";
      else if (output == "lse")
        name = "wrong lse";
      else
        name = gradient ? class_of_gradients(failures) : class_of_outputs(failures);
      for (const Open& one : failures) one.failure->class_name = name, one.failure->guessed = true;
    }
  }

 private:
  static bool all_have(const std::vector<Open>& failures, bool (*has)(const CaseSpec&)) {
    return std::all_of(failures.begin(), failures.end(), [&](const Open& one) { return has(one.record->spec); });
  }

  std::string class_of_outputs(const std::vector<Open>& failures) {
    if (all_have(failures, [](const CaseSpec& s) { return s.keys > 65536; })) return "wrong beyond 65,536 keys";
    if (all_have(failures, [](const CaseSpec& s) { return s.property == "far strides"; }))
      return "wrong beyond 2^31 entries";
    // What ignores strides ignores far ones, too.
    if (all_have(failures, [](const CaseSpec& s) { return s.property == "strides" || s.property == "far strides"; }))
      return "strides ignored";
    const CaseSpec& cheapest = failures.front().record->spec;
    const Needed needed = least_needed(failures);
    if (const std::string by_part = class_of_part(needed); !by_part.empty()) return by_part;
    const bool softmax = cheapest.mechanism == "softmax";
    if (softmax && needed.parts.empty() && needed.spec.keys <= 129) {
      const std::string by_lengths = class_by_lengths(needed.spec, "out", target_, settings_);
      if (!by_lengths.empty()) return by_lengths;
    }
    if (const std::string read = class_by_weights(needed, target_, settings_, widths_differ()); !read.empty())
      return read;
    // The cheapest case may be too small to show which weights are off.
    int asked = 0;
    for (const Open& one : failures) {
      if (++asked > 12) break;
      const Needed larger{one.record->spec, needed.parts};
      const std::string read = class_by_weights(larger, target_, settings_, widths_differ());
      if (!read.empty()) return read;
    }
    if (needed.has(Part::mask)) return "mask applied wrongly";
    if (needed.has(Part::window)) return "sliding window has the wrong width";
    if (needed.has(Part::packed)) return "packed sequences see each other";
    // Statistics over keys that are not seen leave no trace in the weights.
    if (needed.has(Part::causal)) return softmax ? "causal mask applied wrongly" : "causal ignored";
    return "wrong values";
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
  static std::string class_of_part(const Needed& needed) {
    const bool mapped = needed.has(Part::heads) || needed.has(Part::batch);
    if (needed.has(Part::sinks)) return mapped ? "sequences or heads are mixed up" : "sinks counted wrongly";
    if (needed.has(Part::dropout)) return mapped ? "dropout mask of another head" : "dropout scaled wrongly";
    if (needed.has(Part::alibi)) return mapped ? "sequences or heads are mixed up" : "ALiBi distances wrong";
    if (needed.has(Part::bias)) return mapped ? "sequences or heads are mixed up" : "bias applied wrongly";
    if (needed.has(Part::softcap)) return "softcap applied wrongly";
    if (needed.has(Part::mask) && mapped) return "mask of another head or sequence";
    if (needed.has(Part::mask) || needed.has(Part::window) || needed.has(Part::causal) || needed.has(Part::packed))
      return "";
    if (needed.has(Part::scale)) return "scale applied wrongly";
    if (needed.has(Part::grouped_keys)) return "key heads mapped wrongly";
    if (needed.has(Part::value_width)) return "wrong when values have another width";
    if (mapped) return "sequences or heads are mixed up";
    if (needed.has(Part::odd_width)) return "wrong at odd widths";
    if (needed.has(Part::large_logits))
      return needed.spec.family == "negative" ? "underflow at very negative logits" : "overflow at large logits";
    return "";
  }

  std::string class_of_gradients(const std::vector<Open>& failures) const {
    std::vector<const CaseSpec*> fails, passes;
    std::set<std::string> outputs;
    for (const Open& one : failures) {
      fails.push_back(&one.record->spec);
      outputs.insert(one.failure->output);
    }
    for (const Record& record : records_)
      if (record.judged && record.failures.empty() && record.spec.gradient) passes.push_back(&record.spec);
    if (swapped(failures)) return "dk and dv swapped";
    if (outputs.size() > 1) outputs.erase("dbias");
    const std::string by_feature = class_by_feature(fails, passes);
    if (!by_feature.empty()) return by_feature;
    if (outputs.size() == 1) return "wrong " + *outputs.begin();
    return outputs == std::set<std::string>{"dk", "dq"} ? "wrong dq and dk" : "wrong gradients";
  }

  bool widths_differ() const {
    return std::any_of(records_.begin(), records_.end(),
                       [](const Record& r) { return r.judged && r.spec.width != r.spec.value_width; });
  }

  bool swapped(const std::vector<Open>& failures) const {
    for (const Open& one : failures) {
      const Record& record = *one.record;
      if (record.spec.mechanism != "softmax") return false;
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
