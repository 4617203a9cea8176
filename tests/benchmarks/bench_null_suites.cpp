// How often a whole suite of stochastic checks calls something true refuted, when its level is inflated to 0.05.
//   bench_null_suites [suites] [threads] [effort] [suites of the ledger's claims]
// First as many checks as the ledger has stochastic claims that stand, of three configurations each in which the mean
// is the bound, the hardest null there is: laws on [0, 1] from tame to badly skewed, with <=, >= and =. Then these
// claims as they are, at the share `effort` of the quick budget. Counted is whether any check of a suite is refuted.
// The level is split as a run splits it: over the checks, and in a check over its configurations. Clopper's and
// Pearson's interval at 99.9 percent for the rate. Suite k has seed k, so that the same call gives the same table for
// any number of threads.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "kernels/parallel/blocks.hpp"
#include "kernels/statistics/clopper_pearson.hpp"
#include "theorems/engine/protocols/expectation.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/alpha_ledger.hpp"
#include "theorems/engine/runner/runner.hpp"
#include "theorems/engine/verdict_rule.hpp"

namespace attest::benchmarks {
namespace {

constexpr double level = 0.05;

struct NullCheck {
  const engine::Claim* claim = nullptr;  ///< names the random streams
  engine::Check check;
};

/// Claims that stand and that samples alone decide.
std::vector<NullCheck> checks_of_the_ledger() {
  std::vector<NullCheck> checks;
  for (const engine::Claim& claim : engine::all_claims()) {
    const bool sampled = claim.check.protocol.starts_with("Monte Carlo under a betting confidence sequence");
    if (sampled && claim.statement.expected == engine::Verdict::supported) checks.push_back({&claim, claim.check});
  }
  return checks;
}

struct Law {
  const char* name;
  double mean;
  std::function<double(random::Stream&)> draw;
};

std::vector<Law> laws() {
  const auto share = [](double p) { return [p](random::Stream& s) { return s.uniform() < p ? 1.0 : 0.0; }; };
  return {{"one half", 0.5, share(0.5)},
          {"one tenth", 0.1, share(0.1)},
          {"one hundredth", 0.01, share(0.01)},
          {"99 of 100", 0.99, share(0.99)},
          {"uniform", 0.5, [](random::Stream& s) { return s.uniform(); }},
          {"uniform^8", 1.0 / 9, [](random::Stream& s) { return std::pow(s.uniform(), 8); }}};
}

/// Means that are exactly their bounds.
std::vector<NullCheck> checks_at_the_bound(const std::vector<NullCheck>& like, double samples) {
  const std::vector<Law> all = laws();
  constexpr engine::Relation relations[] = {engine::Relation::less_equal, engine::Relation::greater_equal,
                                            engine::Relation::equal};
  std::vector<NullCheck> checks;
  for (std::size_t i = 0; i < like.size(); ++i) {
    std::vector<engine::ExpectationConfiguration> configurations;
    for (std::size_t k = 0; k < 3; ++k) {
      const Law& law = all[(i + k) % all.size()];
      configurations.push_back({.name = law.name,
                                .statistic = law.draw,
                                .relation = relations[(i + k / 2 + k) % 3],
                                .bound = law.mean,
                                .resolution = 1e-6,
                                .samples = samples});
    }
    checks.push_back({like[i].claim, engine::expectation(std::move(configurations))});
  }
  return checks;
}

/// Prints how many of the suites refuted something.
void table(const std::string& what, const std::vector<NullCheck>& checks, int suites, unsigned threads, double effort) {
  std::vector<char> refuted(static_cast<std::size_t>(suites), 0);
  std::vector<std::int64_t> samples(static_cast<std::size_t>(suites), 0);
  const double share = engine::AlphaLedger(level, checks.size()).share();
  parallel::for_each_block(suites, threads, [&](std::int64_t suite) {
    const auto at = static_cast<std::size_t>(suite);
    for (const NullCheck& each : checks) {
      const engine::Context context =
          engine::make_context(*each.claim, "null", static_cast<std::uint64_t>(suite) + 1, effort, share);
      const engine::Evidence evidence = each.check.run(context);
      const auto verdict = engine::judge(each.claim->statement.kind, evidence).verdict;
      if (verdict == engine::Verdict::refuted) refuted[at] = 1;
      for (const engine::ExpectationPart& part : std::get<engine::ExpectationEvidence>(evidence.body).parts)
        samples[at] += part.samples;
    }
  });
  std::uint64_t wrong = 0;
  double drawn = 0;
  for (std::size_t k = 0; k < refuted.size(); ++k) {
    wrong += refuted[k] != 0 ? 1U : 0U;
    drawn += static_cast<double>(samples[k]);
  }
  const statistics::Interval rate = statistics::clopper_pearson(wrong, static_cast<std::uint64_t>(suites), 1e-3);
  fmt::print("{:<36} {:>6} {:>7} {:>12.0f} {:>6} {:>7}  {:.5f} [{:.5f}, {:.5f}]\n", what, checks.size(), suites,
             drawn / suites, level, wrong, static_cast<double>(wrong) / suites, rate.lower, rate.upper);
  std::fflush(stdout);
}

}  // namespace
}  // namespace attest::benchmarks

int main(int argc, char** argv) {
  using namespace attest::benchmarks;
  const int suites = argc > 1 ? std::atoi(argv[1]) : 10000;
  const auto threads = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 1);
  const double effort = argc > 3 ? std::atof(argv[3]) : 0.01;
  const std::vector<NullCheck> checks = checks_of_the_ledger();
  fmt::print("{:<36} {:>6} {:>7} {:>12} {:>6} {:>7}  rate [99.9 % interval]\n", "suite", "checks", "suites",
             "samples each", "level", "refuted");
  const int of_the_ledger = argc > 4 ? std::atoi(argv[4]) : suites;
  table("means that are their bounds", checks_at_the_bound(checks, 100), suites, threads, 1);
  table(fmt::format("the ledger's claims, effort {}", effort), checks, of_the_ledger, threads, effort);
}
