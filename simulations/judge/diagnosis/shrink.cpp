#include "simulations/judge/diagnosis/shrink.hpp"

#include <algorithm>
#include <chrono>

#include "simulations/judge/reference/mechanism_reference.hpp"

namespace attest::judge {
namespace {

/// Everything that could be left out of a case, one at a time, the largest step first.
std::vector<CaseSpec> smaller(const CaseSpec& s) {
  std::vector<CaseSpec> result;
  const auto with = [&](auto&& change) {
    CaseSpec spec = s;
    change(spec);
    if (spec != s && spec.queries >= 1 && spec.keys >= 1) result.push_back(spec);
  };
  const bool packed = !s.packed.empty();
  with([](CaseSpec& c) { c.batch = 1; });
  with([](CaseSpec& c) { c.batch = std::min<Index>(c.batch, 2); });
  with([](CaseSpec& c) { c.heads = c.kv_heads = 1; });
  with([](CaseSpec& c) {
    if (c.heads != c.kv_heads) c.heads = 2, c.kv_heads = 1;
  });
  with([](CaseSpec& c) {
    if (c.heads != c.kv_heads && c.heads > 4) c.heads = 4, c.kv_heads = 2;
  });
  with([](CaseSpec& c) {
    if (c.heads == c.kv_heads && c.heads > 2) c.heads = c.kv_heads = 2;
  });
  if (!packed) {
    const Index gap = s.keys - s.queries;
    for (const Index count : {Index{1}, Index{2}, Index{3}, s.queries / 2, s.queries - 1}) {
      if (count < 1 || count >= s.queries) continue;
      with([&](CaseSpec& c) { c.queries = count; });
      with([&](CaseSpec& c) { c.queries = count, c.keys = std::max<Index>(1, count + gap); });
    }
    for (const Index count : {Index{1}, Index{2}, Index{3}, s.keys / 2, s.keys - s.keys / 4, s.keys - 1})
      if (count >= 1 && count < s.keys) with([&](CaseSpec& c) { c.keys = count; });
  }
  for (const Index width : {1, 2, 4, 8, 16, 32, 64}) {
    if (width < s.width && s.width == s.value_width) with([&](CaseSpec& c) { c.width = c.value_width = width; });
    if (width < s.width) with([&](CaseSpec& c) { c.width = width; });
    if (width < s.value_width) with([&](CaseSpec& c) { c.value_width = width; });
  }
  with([](CaseSpec& c) { c.gradient = c.lse_gradient = false; });
  with([](CaseSpec& c) { c.lse_gradient = false; });
  with([](CaseSpec& c) { c.softcap = 0; });
  with([](CaseSpec& c) { c.scale = 0; });
  with([](CaseSpec& c) { c.bias.clear(); });
  with([](CaseSpec& c) { c.alibi = false; });
  with([](CaseSpec& c) { c.sinks = false; });
  with([](CaseSpec& c) {
    if (c.property != Property::drawn_dropout) c.dropout = 0;
  });
  with([](CaseSpec& c) { c.mask.clear(), c.empty_row = false; });
  with([](CaseSpec& c) { c.empty_row = false; });
  with([](CaseSpec& c) { c.padding = 0; });
  with([](CaseSpec& c) { c.padding = std::min<Index>(c.padding, 1); });
  with([](CaseSpec& c) { c.window.reset(); });
  with([](CaseSpec& c) { c.causal = false; });
  with([](CaseSpec& c) { c.family = "integers"; });
  return result;
}

bool still(const Finding& finding, const CaseSpec& spec, Target& target, const TrialSettings& settings,
           Finding& found) {
  std::string lacking;
  if (is_plain_attention(spec.mechanism) && !takes_all(settings.conventions, spec, lacking)) return false;
  std::vector<Record> records(1);
  try {
    records[0] = run_trial(spec, target, settings);
  } catch (const std::invalid_argument&) {
    return false;  // the mechanism does not take these extents
  }
  const auto same_output =
      std::find_if(records[0].failures.begin(), records[0].failures.end(), [&](const Failure& failure) {
        return failure.output == finding.output && (!failure.fault || failure.fault == finding.fault);
      });
  if (same_output == records[0].failures.end()) return false;
  if (!same_output->fault) {
    const std::vector<Finding> diagnosed = diagnose(records, target, settings);
    const auto same = std::find_if(diagnosed.begin(), diagnosed.end(),
                                   [&](const Finding& one) { return one.fault == finding.fault; });
    if (same == diagnosed.end()) return false;
    found = *same;
  } else {
    found.ratio = same_output->ratio;
    found.message = same_output->message;
    found.property = spec.property;
    found.output = same_output->output;
  }
  found.fault = finding.fault;
  found.spec = spec;
  found.cases = finding.cases;
  return true;
}

}  // namespace

void shrink(Finding& finding, Target& target, const TrialSettings& settings, double seconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const auto late = [&] { return std::chrono::duration<double>(Clock::now() - start).count() > seconds; };
  // A call that does not return costs its whole time limit each time.
  if (finding.fault == fault::hangs) return;
  for (bool smaller_found = true; smaller_found && !late();) {
    smaller_found = false;
    for (const CaseSpec& spec : smaller(finding.spec)) {
      if (late()) return;
      Finding found = finding;
      if (!still(finding, spec, target, settings, found)) continue;
      finding = found;
      smaller_found = true;
      break;
    }
  }
}

}  // namespace attest::judge
