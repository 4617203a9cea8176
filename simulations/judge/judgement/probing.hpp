// What a target takes that its signature cannot tell, found by small calls before the cases are chosen.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "simulations/judge/case/catalogue.hpp"
#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// After this many calls that hung, judging goes on without further cases: each costs the time limit.
inline constexpr int most_hangs = 2;

bool has_raised(const Record& record);
bool has_hung(const Record& record);
/// A case that every mechanism takes which needs no further settings, in the request's widths and tiles.
CaseSpec example_case(const CatalogueRequest& request);
/// Whether the library's mechanism takes the case's extents and settings.
bool possible_mechanism_case(const CaseSpec& spec);

class Probing {
 public:
  /// Everything is referred to: the settings learn the form of windows, `skipped` what is not judged and why, `hangs`
  /// counts the calls that hung.
  Probing(Target& target, TrialSettings& settings, std::vector<std::string>& skipped, std::atomic<int>& hangs)
      : target_(target), settings_(settings), skipped_(skipped), hangs_(hangs) {}

  /// Asks; `wanted` loses the types that the target declines, and learns which widths and multiples of tokens it takes
  /// where it declines small cases, and whether it is causal at all times.
  void run(CatalogueRequest& wanted) {
    if (!leave_out_declined_types(wanted)) find_extents(wanted);
    if (hangs_ < most_hangs) find_whether_causal_only(wanted);
    if (hangs_ < most_hangs) find_form_of_windows(wanted);
    ask_probes(wanted);
  }
  /// The features whose cases the target refuses.
  const std::vector<Probe>& refused() const { return refused_; }
  /// What the calls showed.
  std::vector<Record> take_records() { return std::move(records_); }

 private:
  bool leave_out_declined_types(CatalogueRequest& wanted);
  bool leave_out_types_that_decline(CatalogueRequest& wanted, bool causal);
  void find_extents(CatalogueRequest& wanted);
  bool find_widths(CatalogueRequest& wanted);
  bool find_tile(CatalogueRequest& wanted);
  bool says_no(const CaseSpec& spec);
  bool takes_some_type(const CatalogueRequest& wanted);
  void find_whether_causal_only(CatalogueRequest& wanted);
  void find_form_of_windows(const CatalogueRequest& wanted);
  void ask_probes(const CatalogueRequest& wanted);

  Target& target_;
  TrialSettings& settings_;
  std::vector<std::string>& skipped_;
  std::atomic<int>& hangs_;
  std::vector<Probe> refused_;
  std::vector<Record> records_;
};

}  // namespace attest::judge
