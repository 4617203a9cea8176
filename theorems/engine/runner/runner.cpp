#include "theorems/engine/runner/runner.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "kernels/parallel/blocks.hpp"
#include "kernels/random/stream.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/verdict_rule.hpp"

namespace attest::engine {
namespace {

using Clock = std::chrono::steady_clock;

/// 32 times the deep budget's: a budget in seconds seldom comes that far.
constexpr double largest_replayed_effort = 1024;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// One check: the statement itself (no neighbour), or one of its near-misses or near-hits.
struct Job {
  std::size_t claim;
  const Neighbour* neighbour;
  bool near_hit;
};

struct JobResult {
  bool finished = false;
  Evidence evidence;
  Judgement judgement;
  double seconds = 0;
};

JobResult perform(const Claim& claim, const Job& job, Context context) {
  const auto start = Clock::now();
  JobResult result;
  context.stop_at_violation = job.neighbour != nullptr && !job.near_hit;
  try {
    const Check& check = job.neighbour != nullptr ? job.neighbour->check : claim.check;
    result.evidence = check.run(context);
    result.judgement = judge(claim.statement.kind, result.evidence);
  } catch (const Interrupted&) {
    return result;
  } catch (const std::exception& failure) {
    result.judgement = {Verdict::error, fmt::format("the check failed: {}", failure.what()), "a repaired check"};
  }
  result.finished = true;
  result.seconds = seconds_since(start);
  return result;
}

/// Sets a flag that all checks poll when the user interrupts or the budget's seconds are over.
class Stop {
 public:
  Stop(const std::atomic<bool>* interrupted, double seconds, Clock::time_point start)
      : watch_([this, interrupted, seconds, start](const std::stop_token& done) {
          constexpr std::chrono::milliseconds between{20};
          while (!done.stop_requested()) {
            if (interrupted != nullptr && interrupted->load()) by_user_ = flag_ = true;
            if (seconds > 0 && seconds_since(start) >= seconds) flag_ = true;
            std::this_thread::sleep_for(between);
          }
        }) {}

  const std::atomic<bool>& flag() const { return flag_; }
  bool by_user() const { return by_user_; }

 private:
  std::atomic<bool> flag_{false}, by_user_{false};
  std::jthread watch_;
};

std::vector<Job> jobs_of(const std::vector<const Claim*>& plan, bool near_misses) {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    jobs.push_back({i, nullptr, false});
    if (!near_misses) continue;
    for (const auto& miss : plan[i]->near_misses) jobs.push_back({i, &miss, false});
    for (const auto& hit : plan[i]->near_hits) jobs.push_back({i, &hit, true});
  }
  return jobs;
}

/// What the jobs of one claim found, as far as they were finished.
struct Collected {
  const JobResult* own = nullptr;
  std::vector<JudgedNeighbour> near_misses, near_hits;
  bool complete = true;
  double seconds = 0;
};

NeighbourResult result_of(const JudgedNeighbour& judged) {
  NeighbourResult result{judged.neighbour->name, judged.neighbour->delta, judged.judgement};
  if (std::holds_alternative<CompositeEvidence>(judged.evidence->body))
    result.parts = contradicted_parts(*judged.evidence, judged.judgement);
  result.caught = contradicted(*judged.evidence, judged.judgement);
  return result;
}

/// The changed statements that the check judged by itself.
void add_changes(ClaimResult& result) {
  for (const StatementPart& part : statement_parts(result.evidence)) {
    for (const JudgedChange& change : part.evidence->changes) {
      NeighbourResult neighbour{part.path.empty() ? change.name : part.path + ": " + change.name,
                                change.delta,
                                {change.near_hit ? Verdict::supported : Verdict::refuted, change.statement, ""}};
      if (!part.path.empty()) neighbour.parts = {part.path};
      neighbour.caught = !change.near_hit;
      (change.near_hit ? result.near_hits : result.near_misses).push_back(std::move(neighbour));
    }
  }
}

/// The claim's result, with the rules that it breaks. Near-misses speak for the check only when all were judged.
ClaimResult result_of(const Claim& claim, const Collected& found, const RunOptions& options) {
  ClaimResult result;
  result.claim = &claim;
  result.seconds = found.seconds;
  if (found.own == nullptr) {
    result.judgement = {Verdict::undecided,
                        fmt::format("the budget of {} s ended before this check did", options.budget.seconds),
                        "a larger budget"};
    return result;
  }
  result.evidence = found.own->evidence;
  result.judgement = found.own->judgement;
  for (const auto& miss : found.near_misses) result.near_misses.push_back(result_of(miss));
  for (const auto& hit : found.near_hits) result.near_hits.push_back(result_of(hit));
  add_changes(result);
  result.breaks = options.near_misses && found.complete
                      ? breaks_of_claim(claim, result.evidence, result.judgement, found.near_misses)
                      : breaks_of_evidence(result.evidence, result.judgement);
  const Gap excuse = options.known_gaps != nullptr ? gap_of(*options.known_gaps, claim.statement.id) : Gap{};
  if (const auto fault = inexcusable(result.breaks, excuse); fault && result.judgement.verdict != Verdict::error)
    result.judgement = {Verdict::error, *fault, "a repaired check; an error never counts as a pass"};
  return result;
}

/// One pass over the plan at one effort, the measurement of the search among the checks. Returns false when it was
/// stopped before its end.
bool run_round(const std::vector<const Claim*>& plan, const RunOptions& options, double alpha, const Stop& stop,
               SuiteRun& run) {
  const std::vector<Job> jobs = jobs_of(plan, options.near_misses);
  std::vector<JobResult> done(jobs.size());
  std::vector<SearchStrength> strength;
  std::atomic<bool> strength_measured{false};
  std::mutex progress_mutex;
  std::size_t finished = 0;
  // With many jobs each runs on one thread; a single long check may use them all. Either way the bits are the same.
  const unsigned threads = options.threads == 0 ? parallel::hardware_threads() : options.threads;
  const unsigned inner = jobs.size() >= threads ? 1 : threads;
  const std::size_t blocks = jobs.size() + (options.measure_search ? 1 : 0);
  parallel::for_each_block(static_cast<std::int64_t>(blocks), threads, [&](std::int64_t block) {
    const auto index = static_cast<std::size_t>(block);
    if (stop.flag()) return;
    if (index == jobs.size()) {
      try {
        strength = measure_search_strength(options.seed, run.effort, &stop.flag());
        strength_measured = true;
      } catch (const Interrupted&) {
        return;  // the record then says nothing of the search's strength
      }
      return;
    }
    const Job& job = jobs[index];
    const Claim& claim = *plan[job.claim];
    const std::string neighbour = job.neighbour != nullptr ? job.neighbour->name : "printed";
    Context context = make_context(claim, neighbour, options.seed, run.effort, alpha);
    context.threads = inner;
    context.interrupted = &stop.flag();
    context.changes = options.near_misses && job.neighbour == nullptr;
    if (job.neighbour != nullptr) context.only_part = job.neighbour->part;
    done[index] = perform(claim, job, context);
    if (options.progress && done[index].finished) {
      const std::scoped_lock lock(progress_mutex);
      options.progress(++finished, jobs.size(), claim.statement.id);
    }
  });

  std::vector<Collected> collected(plan.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    Collected& of_claim = collected[jobs[j].claim];
    of_claim.complete = of_claim.complete && done[j].finished;
    if (!done[j].finished) continue;
    of_claim.seconds += done[j].seconds;
    if (jobs[j].neighbour == nullptr)
      of_claim.own = &done[j];
    else
      (jobs[j].near_hit ? of_claim.near_hits : of_claim.near_misses)
          .push_back({jobs[j].neighbour, &done[j].evidence, done[j].judgement});
  }
  const bool whole = std::all_of(collected.begin(), collected.end(), [](const Collected& c) { return c.complete; });
  // An incomplete later round does not replace the complete one before it.
  if (!whole && !run.results.empty()) return false;
  run.results.clear();
  for (std::size_t i = 0; i < plan.size(); ++i)
    if (collected[i].complete || !stop.by_user()) run.results.push_back(result_of(*plan[i], collected[i], options));
  if (strength_measured) run.search_strength = std::move(strength);
  return whole;
}

/// Certified or supported.
bool stands(const NeighbourResult& result) {
  return result.judgement.verdict == Verdict::certified || result.judgement.verdict == Verdict::supported;
}

}  // namespace

bool ClaimResult::as_expected() const {
  const bool speaks_for_it = judgement.verdict == Verdict::certified || judgement.verdict == Verdict::supported;
  return (claim->statement.expected_to_stand ? speaks_for_it : judgement.verdict == claim->statement.expected) &&
         judgement.verdict != Verdict::error &&
         std::all_of(near_misses.begin(), near_misses.end(), [](const NeighbourResult& miss) { return miss.caught; }) &&
         std::all_of(near_hits.begin(), near_hits.end(), stands);
}

bool SuiteRun::as_expected() const {
  return !interrupted && !results.empty() &&
         std::all_of(results.begin(), results.end(), [](const ClaimResult& result) { return result.as_expected(); });
}

Context make_context(const Claim& claim, const std::string& neighbour, std::uint64_t seed, double effort,
                     Deferred<double> alpha) {
  Context context;
  context.seed = seed;
  context.key = random::stream_key(claim.statement.id + "#" + neighbour);
  context.effort = effort;
  context.alpha = std::move(alpha);
  return context;
}

SuiteRun run(const std::vector<const Claim*>& plan, const RunOptions& options) {
  if (plan.empty()) throw std::invalid_argument("the plan holds no statement");
  std::size_t checks = 0, with_neighbours = 0;
  for (const Claim* claim : plan) {
    const std::size_t neighbours = claim->near_misses.size() + claim->near_hits.size();
    with_neighbours += claim->check.shares.get() + neighbours;
    checks += options.near_misses ? claim->check.shares.get() + neighbours : 1;
  }
  const AlphaLedger ledger(options.false_alarm_bound, std::max(options.ledger_shares, with_neighbours));
  SuiteRun run;
  run.seed = options.seed;
  run.budget = options.budget;
  run.threads = options.threads == 0 ? parallel::hardware_threads() : options.threads;
  run.near_misses = options.near_misses;
  run.alpha_per_claim = ledger.share();
  run.false_alarm_bound = ledger.bound(checks);
  run.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
  const auto start = Clock::now();
  const Stop stop(options.interrupted, options.budget.seconds, start);
  double round_effort = options.budget.effort;
  for (;;) {
    const double finished_effort = run.effort;
    const auto round_start = Clock::now();
    run.effort = round_effort;
    if (!run_round(plan, options, ledger.share(), stop, run)) {
      run.interrupted = stop.by_user();
      if (finished_effort > 0) run.effort = finished_effort;
      break;
    }
    // Doubling the effort at most doubles the time of a round.
    const double next_round = 2 * seconds_since(round_start);
    if (seconds_since(start) + next_round > options.budget.seconds) break;
    round_effort *= 2;
  }
  run.seconds = seconds_since(start);
  return run;
}

Replay replay(const Witness& witness, std::uint64_t fresh_seed) {
  const Claim& claim = find_claim(witness.claim);
  const Check* check = witness.neighbour == "printed" ? &claim.check : nullptr;
  for (const auto* neighbours : {&claim.near_misses, &claim.near_hits})
    for (const auto& neighbour : *neighbours)
      if (neighbour.name == witness.neighbour) check = &neighbour.check;
  if (check == nullptr)
    throw std::invalid_argument(
        fmt::format("the statement '{}' has no near-miss or near-hit named '{}'", witness.claim, witness.neighbour));
  if (!(witness.effort <= largest_replayed_effort))
    throw std::invalid_argument(fmt::format("the witness asks for the effort {:g}; at most {:g} is replayed",
                                            witness.effort, largest_replayed_effort));
  const auto alpha = Deferred<double>::later(
      [] { return AlphaLedger(default_false_alarm_bound, ledger_shares(all_claims())).share(); });
  return check->replay(witness, make_context(claim, witness.neighbour, fresh_seed != 0 ? fresh_seed : witness.seed,
                                             witness.effort, alpha));
}

}  // namespace attest::engine
