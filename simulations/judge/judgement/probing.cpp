#include "simulations/judge/judgement/probing.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulations/judge/reference/mechanism_reference.hpp"

namespace attest::judge {
namespace {

bool failed_by(const Record& record, const Fault& fault) {
  return std::any_of(record.failures.begin(), record.failures.end(),
                     [&](const Failure& failure) { return failure.fault == fault; });
}

/// Raised an error, or said that it does not take the call; what is only written down for now is neither.
bool declined(const Record& record) { return has_raised(record) || (!record.judged && !record.refusal.empty()); }

}  // namespace

bool has_raised(const Record& record) { return failed_by(record, fault::raises_an_error); }

bool has_hung(const Record& record) { return failed_by(record, fault::hangs); }

CaseSpec example_case(const CatalogueRequest& request) {
  CaseSpec spec;
  spec.mechanism = request.mechanism;
  spec.settings = request.settings;
  spec.type = request.types.front();
  spec.batch = 2;
  spec.heads = spec.kv_heads = 4;
  spec.queries = spec.keys = 12;
  spec.value_width = 3;
  return in_extents(std::move(spec), request);
}

bool possible_mechanism_case(const CaseSpec& spec) {
  try {
    attention::evaluate(attention::find_mechanism(spec.mechanism), call_of(spec));
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// The catalogue's cases are of the first type: of one that the target takes. False: all decline.
bool Probing::leave_out_declined_types(CatalogueRequest& wanted) {
  const bool always = settings_.conventions.causal_always;
  if (leave_out_types_that_decline(wanted, always)) return true;
  // Who declines the call whatever its type may take a causal one.
  return !always && settings_.conventions.takes("causal") &&
         declares(attention::find_mechanism(wanted.mechanism), "causal") && leave_out_types_that_decline(wanted, true);
}

/// Kernels are often made for a few widths, or for whole tiles of tokens: those in which some type is taken. Only a
/// target that says so is asked on: one that raises an error at every call has that finding.
void Probing::find_extents(CatalogueRequest& wanted) {
  if (!says_no(example_case(wanted))) return;
  if (find_widths(wanted) || find_tile(wanted)) leave_out_declined_types(wanted);
}

/// False: the target takes none.
bool Probing::find_widths(CatalogueRequest& wanted) {
  constexpr Index common[] = {8, 16, 24, 32, 40, 48, 64, 72, 80, 96, 112, 128, 160, 192, 256};
  std::vector<Index> taken, declined = {example_case(wanted).width};
  for (const Index width : common) {
    CatalogueRequest narrowed = wanted;
    narrowed.widths = {width};
    (takes_some_type(narrowed) ? taken : declined).push_back(width);
    if (hangs_ >= most_hangs) return false;
  }
  if (taken.empty()) return false;
  wanted.widths = taken;
  skipped_.push_back(fmt::format("widths of {}: the target refuses them, and is judged by those of {}",
                                 fmt::join(declined, ", "), fmt::join(taken, ", ")));
  return true;
}

/// False: the target takes none. The largest comes first: who declines as many tokens in every width has other reasons.
bool Probing::find_tile(CatalogueRequest& wanted) {
  CatalogueRequest tiled = wanted;
  const auto takes = [&](Index tile) {
    tiled.tile = tile;
    return takes_some_type(tiled);
  };
  for (const std::vector<Index>& widths : {std::vector<Index>{}, {64}, {128}, {32}, {16}}) {
    tiled.widths = widths;
    if (!takes(256)) continue;
    for (const Index tile : {8, 16, 32, 64, 128, 256})
      if (takes(tile)) break;
    if (hangs_ >= most_hangs) return false;
    wanted.tile = tiled.tile;
    skipped_.push_back(fmt::format(
        "numbers of tokens that are not multiples of {0}: the target refuses them, and is judged by multiples of {0}",
        tiled.tile));
    return widths.empty() || find_widths(wanted);
  }
  return false;
}

bool Probing::says_no(const CaseSpec& spec) {
  const Record record = run_trial(spec, target_, settings_);
  if (has_hung(record)) ++hangs_;
  return !record.judged && !record.refusal.empty();
}

bool Probing::takes_some_type(const CatalogueRequest& wanted) {
  const bool may_be_causal =
      settings_.conventions.takes("causal") && declares(attention::find_mechanism(wanted.mechanism), "causal");
  for (const ElementType type : wanted.types)
    for (const bool causal : {false, true}) {
      CaseSpec spec = example_case(wanted);
      spec.type = type;
      spec.value_width = spec.width;
      spec.causal = causal;
      // One tile exactly: two small ones may be a large one.
      if (wanted.tile > 1) spec.queries = spec.keys = wanted.tile, spec.batch = spec.heads = spec.kv_heads = 1;
      if (hangs_ < most_hangs && (!causal || may_be_causal) && possible_mechanism_case(spec) && !says_no(spec))
        return true;
    }
  return false;
}

/// False: all decline.
bool Probing::leave_out_types_that_decline(CatalogueRequest& wanted, bool causal) {
  std::vector<std::pair<ElementType, std::string>> declining;
  for (const ElementType type : wanted.types) {
    CaseSpec spec = example_case(wanted);
    spec.type = type;
    spec.value_width = spec.width;
    spec.causal = causal;
    if (!possible_mechanism_case(spec) || hangs_ >= most_hangs) return true;
    const Record record = run_trial(spec, target_, settings_);
    if (has_hung(record)) ++hangs_;
    if (!declined(record)) {
      records_.push_back(record);
      continue;
    }
    declining.emplace_back(type, has_raised(record) ? record.failures.front().message : record.refusal);
  }
  if (declining.size() == wanted.types.size()) return false;
  for (const auto& [type, why] : declining) {
    std::erase(wanted.types, type);
    skipped_.push_back(fmt::format("{}: the target refuses it ({})", arrays::name(type), why));
  }
  return true;
}

/// Whether the target is causal at all times: the user says so, or it declines a call that is not causal and answers
/// one that is.
void Probing::find_whether_causal_only(CatalogueRequest& wanted) {
  if (settings_.conventions.causal_always) {
    wanted.causal_only = true;
    skipped_.emplace_back("calls that are not causal: --set causal=always");
    return;
  }
  if (!settings_.conventions.takes("causal") || !declares(attention::find_mechanism(wanted.mechanism), "causal"))
    return;
  CaseSpec spec = example_case(wanted);
  if (!possible_mechanism_case(spec)) return;
  const Record open = run_trial(spec, target_, settings_);
  if (has_hung(open)) ++hangs_;
  if (!declined(open)) {
    records_.push_back(open);
    return;
  }
  spec.causal = true;
  const Record causal = run_trial(spec, target_, settings_);
  if (has_hung(causal)) ++hangs_;
  if (declined(causal)) return;
  records_.push_back(causal);
  wanted.causal_only = true;
  const std::string why =
      has_raised(open) ? fmt::format("the target refuses them ({})", open.failures.front().message) : open.refusal;
  skipped_.push_back("calls that are not causal: " + why);
}

/// Windows are handed over as (before, after), or as one number where the target fails on a pair.
void Probing::find_form_of_windows(const CatalogueRequest& wanted) {
  if (!settings_.conventions.takes("window") || !is_plain_attention(wanted.mechanism)) return;
  CaseSpec spec;
  spec.queries = spec.keys = 5;
  spec = in_extents(std::move(spec), wanted);
  spec.type = wanted.types.front();
  spec.corner = wanted.corner;
  spec.causal = settings_.conventions.takes("causal") || wanted.causal_only;
  spec.window = {2, 0};
  const Record pair = run_trial(spec, target_, settings_);
  if (has_hung(pair)) ++hangs_;
  if (!has_raised(pair)) {
    records_.push_back(pair);
    return;
  }
  settings_.conventions.window_as_pair = false;
  if (has_raised(run_trial(spec, target_, settings_))) {
    settings_.conventions.window_as_pair = true;
    return;
  }
  skipped_.push_back(fmt::format("window as (before, after): the function takes one number, {}",
                                 settings_.conventions.window_counts_self
                                     ? "read as a count of keys that includes the query's own"
                                     : "read as a count of keys before the query's own"));
}

void Probing::ask_probes(const CatalogueRequest& wanted) {
  std::vector<std::pair<Probe, std::string>> refused;
  std::map<Probe::Of, std::size_t> asked, raised_of;
  for (const Probe& probe : probes(wanted)) {
    std::string lacking, message;
    bool all_raised = true, possible_at_all = true;
    for (const CaseSpec& spec : probe.cases) {
      bool possible = true;
      if (is_plain_attention(wanted.mechanism))
        possible = takes_all(settings_.conventions, spec, lacking);
      else if (!possible_mechanism_case(spec) || (!spec.mask.empty() && !settings_.conventions.takes("mask")))
        possible = false;
      if (!possible) {
        all_raised = possible_at_all = false;
        break;
      }
      if (hangs_ >= most_hangs) return;
      const Record record = run_trial(spec, target_, settings_);
      if (has_hung(record)) ++hangs_;
      // Every other failure of a probe is a finding like any; a second call that hangs would show nothing new.
      if (!has_raised(record)) records_.push_back(record);
      if (!has_raised(record)) {
        all_raised = false;
        // Where calls are only written down for now, those of every case are wanted.
        if (record.judged) break;
        continue;
      }
      message = record.failures.front().message;
    }
    if (!possible_at_all) continue;
    ++asked[probe.of];
    if (!all_raised) continue;
    ++raised_of[probe.of];
    refused.emplace_back(probe, message);
  }
  // Refusing every mask or every type is not a choice but a failure: the cases stay.
  if (raised_of[Probe::Of::types] == asked[Probe::Of::types]) return;
  for (const auto& [probe, message] : refused) {
    if (probe.of == Probe::Of::masks && raised_of[probe.of] == asked[probe.of]) continue;
    refused_.push_back(probe);
    skipped_.push_back(fmt::format("{}: the target refuses it ({})", probe.feature, message));
  }
}

}  // namespace attest::judge
