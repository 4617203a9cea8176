// Runs a plan: every selected statement, and its near-misses when asked for, on a fixed number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "theorems/engine/budget.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/runner/alpha_ledger.hpp"
#include "theorems/engine/runner/gaps.hpp"
#include "theorems/engine/runner/rules.hpp"
#include "theorems/engine/runner/search_strength.hpp"

namespace attest::engine {

struct RunOptions {
  std::uint64_t seed = 1;
  Budget budget;
  unsigned threads = 0;                                  ///< 0: one per core
  bool near_misses = false;                              ///< judge the near-hits of refuted claims, too
  double false_alarm_bound = default_false_alarm_bound;  ///< of a run of the whole suite
  std::size_t ledger_shares = 0;                         ///< checks the ledger is split over; 0: the plan's own
  const Gaps* known_gaps = nullptr;                      ///< what claims are excused for; null: nothing
  bool measure_search = false;                           ///< measure the search's strength too, for the record
  const std::atomic<bool>* interrupted = nullptr;
  /// Called after every finished check, from any thread but never from two at once.
  std::function<void(std::size_t done, std::size_t total, const std::string& id)> progress = {};
};

/// A near-miss or a near-hit, judged.
struct NeighbourResult {
  std::string name;
  double delta = 0;
  Judgement judgement;
  std::vector<std::string> parts = {};  ///< of a composite: those that the check spoke against
  bool caught = false;                  ///< the check spoke against it, see `contradicted`
};

struct ClaimResult {
  const Claim* claim = nullptr;
  Evidence evidence;
  Judgement judgement;
  std::vector<NeighbourResult> near_misses;  ///< empty unless asked for
  std::vector<NeighbourResult> near_hits;    ///< likewise
  RuleBreaks breaks = {};                    ///< what the claim owes; beyond its excuse the verdict is an error
  double seconds = 0;

  /// The verdict is the recorded one, is not an error, and of what was judged every near-miss was caught and every
  /// near-hit stands.
  bool as_expected() const;
};

struct SuiteRun {
  std::uint64_t seed = 0;
  Budget budget;
  double effort = 0;  ///< of the last complete round
  unsigned threads = 0;
  bool near_misses = false;
  double alpha_per_claim = 0;
  double false_alarm_bound = 0;  ///< of this run: share times statements judged
  /// Of all verdicts made of trainings together, which are not drawn anew by a run; 0 where there are none.
  double trained_false_alarm_bound = 0;
  std::string started;  ///< UTC, ISO 8601
  double seconds = 0;
  std::vector<SearchStrength> search_strength;  ///< at this run's seed and effort; empty unless asked for
  std::vector<ClaimResult> results;
  bool interrupted = false;  ///< stopped by the user: `results` holds what was finished

  bool as_expected() const;
};

/// Judges `plan`. Exceptions of a check become the verdict `error`, and so do rules that a claim breaks beyond its
/// excuse
/// (`rules.hpp`); an interrupt leaves the unfinished statements out. A budget in seconds ends the run when they are
/// over: statements that were not judged by then are `undecided`. Preconditions: a non-empty plan. Errors:
/// std::invalid_argument.
SuiteRun run(const std::vector<const Claim*>& plan, const RunOptions& options);

/// The context of a claim ("printed") or of one of its near-misses under these options, as `run` uses it.
Context make_context(const Claim& claim, const std::string& neighbour, std::uint64_t seed, double effort,
                     Deferred<double> alpha);

/// Re-evaluates a witness: finds its claim and neighbour, and asks the check's independent path.
/// `fresh_seed` replaces the stored seed of a stochastic witness unless it is 0. The error level is the suite's own,
/// and the stored effort is bounded: a file gives inputs and nothing that could confirm by itself. Errors:
/// std::invalid_argument when claim or neighbour are unknown or the inputs do not fit.
Replay replay(const Witness& witness, std::uint64_t fresh_seed);

}  // namespace attest::engine
