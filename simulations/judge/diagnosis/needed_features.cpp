#include "simulations/judge/diagnosis/needed_features.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "simulations/judge/diagnosis/features.hpp"

namespace attest::judge {
namespace {

struct Removable {
  Part part;
  std::function<bool(const CaseSpec&)> has;
  std::function<void(CaseSpec&)> leave_out;
};

/// In the order in which they are left out: what every attention has first, so that of two parts which a failure needs
/// in turn the special one stays.
const std::vector<Removable>& removables() {
  const auto plain_family = [](CaseSpec& c) { c.family = "gaussian"; };
  static const std::vector<Removable> all = {
      {Part::large_logits, has_large_logits, plain_family},
      {Part::family, [](const CaseSpec& c) { return c.family != "gaussian" && !has_large_logits(c); }, plain_family},
      {Part::batch, [](const CaseSpec& c) { return c.batch > 1; }, [](CaseSpec& c) { c.batch = 1; }},
      {Part::grouped_keys, [](const CaseSpec& c) { return c.heads != c.kv_heads; },
       [](CaseSpec& c) { c.kv_heads = c.heads; }},
      {Part::heads, [](const CaseSpec& c) { return c.heads > 1 && c.heads == c.kv_heads; },
       [](CaseSpec& c) { c.heads = c.kv_heads = 1; }},
      {Part::wide_heads, has_wide_heads,
       [](CaseSpec& c) { c.width = std::min<Index>(c.width, 64), c.value_width = std::min<Index>(c.value_width, 64); }},
      {Part::value_width, [](const CaseSpec& c) { return c.width != c.value_width; },
       [](CaseSpec& c) { c.value_width = c.width; }},
      {Part::partial_vector, [](const CaseSpec& c) { return c.width % 8 != 0 && c.width > 1; },
       [](CaseSpec& c) { c.width = (c.width + 7) / 8 * 8, c.value_width = (c.value_width + 7) / 8 * 8; }},
      {Part::scale, [](const CaseSpec& c) { return c.scale != 0; }, [](CaseSpec& c) { c.scale = 0; }},
      {Part::causal, [](const CaseSpec& c) { return c.causal; }, [](CaseSpec& c) { c.causal = false; }},
      {Part::mask, [](const CaseSpec& c) { return !c.mask.empty(); },
       [](CaseSpec& c) { c.mask.clear(), c.empty_row = false; }},
      {Part::padding, [](const CaseSpec& c) { return c.padding != 0; }, [](CaseSpec& c) { c.padding = 0; }},
      {Part::window, [](const CaseSpec& c) { return c.window.has_value(); }, [](CaseSpec& c) { c.window.reset(); }},
      {Part::softcap, [](const CaseSpec& c) { return c.softcap != 0; }, [](CaseSpec& c) { c.softcap = 0; }},
      {Part::bias, [](const CaseSpec& c) { return !c.bias.empty(); }, [](CaseSpec& c) { c.bias.clear(); }},
      {Part::alibi, [](const CaseSpec& c) { return c.alibi; }, [](CaseSpec& c) { c.alibi = false; }},
      {Part::packed, [](const CaseSpec& c) { return !c.packed.empty(); },
       [](CaseSpec& c) { c.packed.clear(), c.packed_keys.clear(); }},
      {Part::dropout, [](const CaseSpec& c) { return c.dropout != 0; }, [](CaseSpec& c) { c.dropout = 0; }},
      {Part::sinks, [](const CaseSpec& c) { return c.sinks; }, [](CaseSpec& c) { c.sinks = false; }},
      {Part::settings, [](const CaseSpec& c) { return !c.settings.empty(); }, [](CaseSpec& c) { c.settings.clear(); }}};
  return all;
}

enum class WithoutPart { fails, passes, unknown };

/// Unknown: the target or the mechanism does not take the case, or it fails in another way.
WithoutPart outcome(const CaseSpec& spec, const std::string& output, Target& target, const TrialSettings& settings) {
  std::string lacking;
  if (is_plain_attention(spec.mechanism) && !takes_all(settings.conventions, spec, lacking)) return WithoutPart::unknown;
  try {
    const Record record = run_trial(spec, target, settings);
    if (record.judged && record.failures.empty()) return WithoutPart::passes;
    const bool fails = std::any_of(record.failures.begin(), record.failures.end(),
                                   [&](const Failure& failure) { return failure.output == output && !failure.fault; });
    return fails ? WithoutPart::fails : WithoutPart::unknown;
  } catch (const std::invalid_argument&) {
    return WithoutPart::unknown;
  }
}

}  // namespace

bool has_part(const CaseSpec& spec, Part part) {
  for (const Removable& removable : removables())
    if (removable.part == part) return removable.has(spec);
  return false;
}

Needed needed_features(const CaseSpec& spec, const std::string& output, Target& target, const TrialSettings& settings) {
  Needed needed{spec, {}};
  if (output != "lse" && output != "out" && needed.spec.property == Property::values) needed.spec.gradient = true;
  for (const Removable& removable : removables()) {
    if (!removable.has(needed.spec)) continue;
    CaseSpec without = needed.spec;
    removable.leave_out(without);
    const WithoutPart found = outcome(without, output, target, settings);
    if (found == WithoutPart::fails) needed.spec = without;
    if (found == WithoutPart::passes) needed.parts.insert(removable.part);
  }
  return needed;
}

}  // namespace attest::judge
