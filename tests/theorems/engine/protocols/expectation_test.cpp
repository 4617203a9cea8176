#include "theorems/engine/protocols/expectation.hpp"

#include <gtest/gtest.h>

#include "kernels/statistics/clopper_pearson.hpp"
#include "theorems/engine/verdict_rule.hpp"

namespace attest::engine {
namespace {

/// A coin of success probability 1/2, claimed to have mean at most `bound`.
ExpectationConfiguration coin(double bound, double samples) {
  ExpectationConfiguration c;
  c.name = "coin";
  c.statistic = [](random::Stream& stream) { return stream.uniform() < 0.5 ? 1.0 : 0.0; };
  c.bound = bound;
  c.resolution = 0.05;
  c.samples = samples;
  return c;
}

Context context(std::uint64_t seed, double alpha) {
  Context c;
  c.seed = seed;
  c.key = 17;
  c.alpha = alpha;
  return c;
}

Verdict verdict_of(const ExpectationConfiguration& c, const Context& at) {
  return judge(Kind::expectation_bound, expectation({c}).run(at)).verdict;
}

TEST(Expectation, settles_true_claims_even_where_the_bound_is_attained) {
  EXPECT_EQ(verdict_of(coin(0.5, 200000), context(1, 1e-9)), Verdict::supported);
  EXPECT_EQ(verdict_of(coin(0.6, 200000), context(1, 1e-9)), Verdict::supported);
}

TEST(Expectation, refutes_a_false_claim_and_replays_it_under_a_fresh_seed) {
  const Check check = expectation({coin(0.45, 200000)});
  const Evidence evidence = check.run(context(1, 1e-9));
  EXPECT_EQ(judge(Kind::expectation_bound, evidence).verdict, Verdict::refuted);
  const auto witness = witness_of(evidence);
  ASSERT_TRUE(witness.has_value());
  EXPECT_TRUE(check.replay(*witness, context(99, 1e-9)).confirmed);
}

TEST(Expectation, is_undecided_when_the_budget_ends_first) {
  EXPECT_EQ(verdict_of(coin(0.5, 100), context(1, 1e-9)), Verdict::undecided);
}

TEST(Expectation, refuses_an_observation_outside_its_range) {
  ExpectationConfiguration c = coin(0.5, 1000);
  c.statistic = [](random::Stream&) { return 1.5; };
  EXPECT_THROW(expectation({c}).run(context(1, 1e-9)), std::invalid_argument);
}

// The level is raised to 5 percent so that errors would show: a claim with the mean exactly at its bound is the hardest
// true one. With 10^4 runs a rate of at most alpha/2 a side passes the gate with probability 1 - 1e-6.
TEST(Expectation, calls_a_true_claim_refuted_no_more_often_than_its_error_level) {
  constexpr double alpha = 0.05;
  constexpr int runs = 10000;
  int refuted = 0;
  const auto claim = coin(0.5, 400);
  for (int run = 0; run < runs; ++run)
    refuted += verdict_of(claim, context(static_cast<std::uint64_t>(run), alpha)) == Verdict::refuted ? 1 : 0;
  EXPECT_LE(statistics::clopper_pearson(refuted, runs, 1e-6).lower, alpha);
}

// Half of the runs must refute at the smallest discrepancy that the evidence claims to catch with a false-pass rate of
// 1e-3; all but a few must, so the gate is on that rate.
TEST(Expectation, has_the_power_it_promises) {
  constexpr double alpha = 1e-3, false_pass_rate = 1e-3;
  constexpr int runs = 300;
  for (const double samples : {500.0, 5000.0}) {
    const Evidence probe = expectation({coin(0.5, samples)}).run(context(1, alpha));
    const double discrepancy = std::get<ExpectationEvidence>(probe.body).parts.at(0).smallest_discrepancy;
    ASSERT_GT(discrepancy, 0);
    ASSERT_LT(discrepancy, 0.5);
    int missed = 0;
    const auto false_claim = coin(0.5 - discrepancy, samples);
    for (int run = 0; run < runs; ++run)
      missed += verdict_of(false_claim, context(static_cast<std::uint64_t>(run), alpha)) == Verdict::refuted ? 0 : 1;
    EXPECT_LE(statistics::clopper_pearson(missed, runs, 1e-6).lower, false_pass_rate)
        << samples << " samples: " << missed << " missed";
  }
}

}  // namespace
}  // namespace attest::engine
