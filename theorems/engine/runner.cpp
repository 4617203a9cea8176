#include "theorems/engine/runner.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <stdexcept>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "kernels/parallel/blocks.hpp"
#include "kernels/random/stream.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/verdict_rule.hpp"

namespace attest::engine {
namespace {

using Clock = std::chrono::steady_clock;

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

/// One pass over the plan at one effort. Returns false when it was interrupted.
bool run_round(const std::vector<const Claim*>& plan, const RunOptions& options, double alpha, SuiteRun& run) {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    jobs.push_back({i, nullptr, false});
    if (!options.near_misses) continue;
    for (const auto& miss : plan[i]->near_misses) jobs.push_back({i, &miss, false});
    for (const auto& hit : plan[i]->near_hits) jobs.push_back({i, &hit, true});
  }
  std::vector<JobResult> done(jobs.size());
  std::mutex progress_mutex;
  std::size_t finished = 0;
  // With many jobs each runs on one thread; a single long check may use them all. Either way the bits are the same.
  const unsigned threads = options.threads == 0 ? parallel::hardware_threads() : options.threads;
  const unsigned inner = jobs.size() >= threads ? 1 : threads;
  parallel::for_each_block(static_cast<std::int64_t>(jobs.size()), threads, [&](std::int64_t block) {
    const auto index = static_cast<std::size_t>(block);
    const Job& job = jobs[index];
    const Claim& claim = *plan[job.claim];
    if (options.interrupted != nullptr && options.interrupted->load()) return;
    const std::string variant = job.neighbour != nullptr ? job.neighbour->name : "printed";
    Context context = make_context(claim, variant, options.seed, run.effort, alpha);
    context.threads = inner;
    context.interrupted = options.interrupted;
    done[index] = perform(claim, job, context);
    if (options.progress && done[index].finished) {
      const std::scoped_lock lock(progress_mutex);
      options.progress(++finished, jobs.size(), claim.statement.id);
    }
  });

  std::vector<ClaimResult> results(plan.size());
  std::vector<bool> complete(plan.size(), true);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    ClaimResult& result = results[jobs[j].claim];
    result.claim = plan[jobs[j].claim];
    if (!done[j].finished) {
      complete[jobs[j].claim] = false;
      continue;
    }
    result.seconds += done[j].seconds;
    if (const Neighbour* neighbour = jobs[j].neighbour; neighbour != nullptr) {
      auto& judged = jobs[j].near_hit ? result.near_hits : result.near_misses;
      judged.push_back({neighbour->name, neighbour->delta, done[j].judgement});
    } else {
      result.evidence = std::move(done[j].evidence);
      result.judgement = std::move(done[j].judgement);
    }
  }
  std::vector<ClaimResult> kept;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (complete[i]) kept.push_back(std::move(results[i]));
  const bool whole = kept.size() == plan.size();
  // An interrupted later round does not replace the complete one before it.
  if (whole || run.results.empty()) run.results = std::move(kept);
  return whole;
}

/// Certified or supported.
bool stands(const NeighbourResult& result) {
  return result.judgement.verdict == Verdict::certified || result.judgement.verdict == Verdict::supported;
}

}  // namespace

bool ClaimResult::as_expected() const {
  return judgement.verdict == claim->statement.expected && judgement.verdict != Verdict::error &&
         std::all_of(near_misses.begin(), near_misses.end(),
                     [](const NeighbourResult& miss) { return miss.judgement.verdict == Verdict::refuted; }) &&
         std::all_of(near_hits.begin(), near_hits.end(), stands);
}

bool SuiteRun::as_expected() const {
  return !interrupted && !results.empty() &&
         std::all_of(results.begin(), results.end(), [](const ClaimResult& result) { return result.as_expected(); });
}

Context make_context(const Claim& claim, const std::string& variant, std::uint64_t seed, double effort, double alpha) {
  Context context;
  context.seed = seed;
  context.stream = random::claim_key(claim.statement.id + "#" + variant);
  context.effort = effort;
  context.alpha = alpha;
  return context;
}

SuiteRun run(const std::vector<const Claim*>& plan, const RunOptions& options) {
  if (plan.empty()) throw std::invalid_argument("the plan holds no statement");
  const AlphaLedger ledger(options.false_alarm_bound, std::max(options.suite_size, plan.size()));
  SuiteRun run;
  run.seed = options.seed;
  run.budget = options.budget;
  run.threads = options.threads == 0 ? parallel::hardware_threads() : options.threads;
  run.near_misses = options.near_misses;
  run.alpha_per_claim = ledger.share();
  run.false_alarm_bound = ledger.bound(plan.size());
  run.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
  const auto start = Clock::now();
  double round_effort = options.budget.effort;
  for (;;) {
    const double finished_effort = run.effort;
    const auto round_start = Clock::now();
    run.effort = round_effort;
    if (!run_round(plan, options, ledger.share(), run)) {
      run.interrupted = true;
      if (finished_effort > 0) run.effort = finished_effort;
      break;
    }
    // Doubling the effort at most doubles the time of a round.
    const double next_round = 2 * seconds_since(round_start);
    if (seconds_since(start) + next_round > options.budget.seconds) break;
    round_effort *= 2;
  }
  if (options.measure_search) run.search_strength = measure_search_strength(run.seed, run.effort);
  run.seconds = seconds_since(start);
  return run;
}

Replay replay(const Witness& witness, std::uint64_t fresh_seed) {
  const Claim& claim = find_claim(witness.claim);
  const Check* check = witness.variant == "printed" ? &claim.check : nullptr;
  for (const auto* neighbours : {&claim.near_misses, &claim.near_hits})
    for (const auto& neighbour : *neighbours)
      if (neighbour.name == witness.variant) check = &neighbour.check;
  if (check == nullptr)
    throw std::invalid_argument(
        fmt::format("the statement '{}' has no near-miss or near-hit named '{}'", witness.claim, witness.variant));
  return check->replay(witness, make_context(claim, witness.variant, fresh_seed != 0 ? fresh_seed : witness.seed,
                                             witness.effort, witness.alpha));
}

}  // namespace attest::engine
