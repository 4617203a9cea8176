// Statements that stood before weaker searches and are false: rows repeated many times, hubs, leaders, far scales.
#include <gtest/gtest.h>

#include "theorems/referee/judge.hpp"

namespace attest::referee {
namespace {

struct Planted {
  const char* name;
  const char* statement;
};

class PlantedViolation : public testing::TestWithParam<Planted> {};

TEST_P(PlantedViolation, IsFoundWithoutAHint) {
  JudgeOptions options;
  options.near_misses = false;
  options.threads = 1;
  const Outcome outcome = judge(GetParam().statement, options);
  EXPECT_EQ(outcome.verdict, engine::Verdict::refuted) << outcome.domain;
  EXPECT_TRUE(outcome.witness);
}

INSTANTIATE_TEST_SUITE_P(
    Judge, PlantedViolation,
    testing::Values(
        // A crowd pulls a lone row towards it: averages of all rows move less than a bound by two rows says.
        Planted{"crowd",
                "forall n in 2..64, d in 1..8, X in R^(n, d): "
                "norm(X[n] - (softmax(X*X')*X)[n]) <= 0.9*norm(X[n]) + 0.9*norm(X[1])"},
        // One entry leads by the most that the assumption allows, 1.5 log n.
        Planted{"leader",
                "forall n in 3..64, x in R^n where range(x) <= 1.5*log(n): "
                "max(softmax(x)) <= 1 - 1.05/(sqrt(n) + 1)"},
        // Rows with multiplicities: the operator norm of averaging grows as sqrt n.
        Planted{"hub", "forall n in 2..64, A in stochastic(n, n): opnorm(A) <= 5"},
        // Far scales.
        Planted{"scale", "forall n in 2..64, x in R^n: norm(softmax(x)) <= 1 - exp(-norm(x)/50)"},
        // One part in a hundred thousand of the box, where all around the least margin is that of positive terms.
        Planted{"valley",
                "forall c in [0, 1], s in [0, 20]: "
                "(1.008 - c)*exp(-s) + (s - 5)*(s - 5.2)*exp(-s) >= 0"},
        // A violation at the very end of the sizes.
        Planted{"end",
                "forall n in 2..64, d in 2..128, q in R^d, K in R^(n, d): "
                "entropy(softmax(K*q)) <= log(63.5)"}),
    [](const auto& planted) { return planted.param.name; });

}  // namespace
}  // namespace attest::referee
