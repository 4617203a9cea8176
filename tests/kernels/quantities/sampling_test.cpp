// Every way of sampling estimates the same: each is held against plain sampling, and against what is known.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "kernels/quantity/quantity.hpp"
#include "kernels/random/law_tails.hpp"
#include "tests/support/counted_allocations.hpp"

namespace attest::quantities {
namespace {

using Given = std::map<std::string, Value, std::less<>>;

Outcome sampled(const char* name, Given given, const char* sampling, std::uint64_t budget, std::uint64_t seed = 1) {
  const Quantity& q = find_quantity(name);
  given["sampling"] = std::string(sampling);
  // What is compared are spreads: the intervals of all ways are asymptotic.
  if (std::any_of(q.parameters.begin(), q.parameters.end(), [](const auto& p) { return p.name == "interval"; }))
    given["interval"] = std::string("asymptotic");
  return evaluate(q, complete(q, given), {seed, budget, 2}).at(q.results.front().name);
}

// Intervals miss with probability 1e-3 each; of a pair that estimates the same both must reach the other's, twice as
// wide: below 1e-9 for normal means.
void expect_agreement(const Outcome& a, const Outcome& b) {
  EXPECT_TRUE(std::isfinite(a.interval.width()) && std::isfinite(b.interval.width()));
  EXPECT_LE(std::fabs(a.value - b.value), a.interval.width() + b.interval.width());
}

TEST(Sampling, of_the_softmax_perturbation_is_unbiased_controlled) {
  const Given at = {{"N", 4000.0}, {"scale", 0.5}, {"sigma", 0.5}};
  const Outcome plain = sampled("softmax_perturbation", at, "plain", 2000),
                controlled = sampled("softmax_perturbation", at, "controlled", 200);
  expect_agreement(plain, controlled);
  // With a tenth of the samples: variance 1/N^2 instead of 1/N.
  EXPECT_LT(controlled.interval.width(), plain.interval.width() / 3);
}

TEST(Sampling, of_the_softmax_perturbation_is_unbiased_with_other_laws) {
  for (const char* law : {"uniform", "rademacher", "laplace"}) {
    const Given at = {
        {"N", 2000.0}, {"law", std::string(law)}, {"noise_law", std::string(law)}, {"scale", 0.3}, {"sigma", 0.2}};
    expect_agreement(sampled("softmax_perturbation", at, "plain", 400),
                     sampled("softmax_perturbation", at, "controlled", 100));
  }
}

TEST(Sampling, of_the_softmax_perturbation_is_unbiased_stratified) {
  // Many logits, nearly equal: nearly a sum of functions of each coordinate of the noise.
  const Given at = {{"N", 100.0}, {"scale", 0.1}, {"sigma", 0.5}};
  const Outcome plain = sampled("softmax_perturbation", at, "plain", 4096),
                stratified = sampled("softmax_perturbation", at, "stratified", 4096);
  expect_agreement(plain, stratified);
  EXPECT_LT(stratified.interval.width(), plain.interval.width() / 2);
}

TEST(Sampling, of_few_logits_is_unbiased_by_quasi_random_points) {
  const Given perturbation = {{"N", 8.0}, {"lead", 0.5}},
              lipschitz = {{"N", 4.0}, {"law", std::string("student_t(5)")}};
  for (const auto& [name, at] : {std::pair{"softmax_perturbation", perturbation}, {"softmax_lipschitz", lipschitz}}) {
    const Outcome plain = sampled(name, at, "plain", 16384), quasi = sampled(name, at, "quasi", 16384);
    expect_agreement(plain, quasi);
    EXPECT_LT(quasi.interval.width(), plain.interval.width()) << name;
  }
}

TEST(Sampling, by_quasi_random_points_reflects_and_leaves_out_what_softmax_does_not_feel) {
  // Two logits differ by D = X_1 - X_2, N(0, 2): |softmax(c + eta) - softmax(c)| = sqrt 2 |s(D + E) - s(D)|, s the
  // logistic function. Both laws normal, one of them, or none, and with a leading logit, which no sign may turn round.
  const std::string normal = "gaussian", other = "laplace";
  for (const auto& [law, noise_law] : {std::pair{normal, normal}, {normal, other}, {other, normal}, {other, other}})
    for (const double lead : {0.0, 2.0}) {
      const Given at = {{"N", 5.0}, {"law", law}, {"noise_law", noise_law}, {"scale", 1.5}, {"lead", lead}};
      expect_agreement(sampled("softmax_perturbation", at, "plain", 16384),
                       sampled("softmax_perturbation", at, "quasi", 4096));
    }
  // Two normal logits: the mean by the trapezoidal rule over the plane of D and E, whose error at the fold E = 0 is in
  // proportion to the squared step and taken off.
  const auto rule = [](double step) {
    const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
    const int reach = static_cast<int>(std::lround(9 / step));
    double sum = 0;
    for (int i = -reach; i <= reach; ++i)
      for (int j = -reach; j <= reach; ++j) {
        const double d = i * step, e = j * step;
        sum += std::exp(-(d * d + e * e) / 4) * std::fabs(logistic(d + e) - logistic(d));
      }
    return std::sqrt(2.0) * sum * step * step / (4 * std::numbers::pi);
  };
  const double exact = (4 * rule(0.05) - rule(0.1)) / 3;
  const Outcome quasi = sampled("softmax_perturbation", {{"N", 2.0}}, "quasi", 1 << 16);
  EXPECT_LT(quasi.interval.width(), 0.01 * exact);
  EXPECT_TRUE(quasi.interval.contains(exact)) << quasi.value << ' ' << exact;
}

TEST(Sampling, by_designs_covers_every_budget_at_once) {
  // Budgets between two powers of two are the same experiment.
  const Given at = {{"N", 4.0}};
  EXPECT_EQ(sampled("softmax_perturbation", at, "quasi", 16 * 64).value,
            sampled("softmax_perturbation", at, "quasi", 16 * 128 - 1).value);
  // So many powers fit where the interval of 16 means is Student's at this level.
  const double student_level = 3.90961e-5;
  EXPECT_LE(25 * student_level, error_level);
}

TEST(Sampling, controlled_refuses_where_its_means_are_not_known_or_not_to_be_trusted) {
  const auto refuses = [](const Given& at) {
    EXPECT_THROW(sampled("softmax_perturbation", at, "controlled", 10), std::invalid_argument);
  };
  refuses({{"N", 1e4}, {"lead", 1.0}});
  refuses({{"N", 1e4}, {"noise_law", std::string("student_t(5)")}});
  refuses({{"N", 100.0}, {"scale", 2.0}});
}

TEST(Sampling, of_dominance_is_unbiased_conditioned_and_by_importance) {
  for (const char* law : {"gaussian", "laplace", "student_t(5)", "uniform"}) {
    const Given at = {{"N", 20.0}, {"law", std::string(law)}, {"scale", 1.5}};
    const Outcome plain = sampled("softmax_dominance", at, "plain", 20'000);
    const Outcome conditioned = sampled("softmax_dominance", at, "conditioned", 20'000);
    const Outcome importance = sampled("softmax_dominance", at, "importance", 20'000);
    expect_agreement(plain, conditioned);
    expect_agreement(plain, importance);
    EXPECT_LT(conditioned.interval.width(), plain.interval.width()) << law;
  }
  const Given coins = {{"N", 5.0}, {"law", std::string("rademacher")}, {"scale", 1.5}};
  expect_agreement(sampled("softmax_dominance", coins, "plain", 20'000),
                   sampled("softmax_dominance", coins, "conditioned", 5'000));
  EXPECT_THROW(sampled("softmax_dominance", coins, "importance", 10), std::invalid_argument);
}

TEST(Sampling, of_dominance_is_right_where_the_probability_is_known) {
  // Two logits: P(|X_1 - X_2| scale > log(q/(1-q))), X_1 - X_2 normal with variance 2.
  const double q = 0.9, scale = 1.3;
  const double exact = 2 * random::upper_tail(random::Law::gaussian(), std::log(q / (1 - q)) / scale / std::sqrt(2.0));
  for (const char* sampling : {"plain", "conditioned", "importance"})
    EXPECT_TRUE(sampled("softmax_dominance", {{"N", 2.0}, {"scale", scale}, {"q", q}}, sampling, 20'000)
                    .interval.contains(exact))
        << sampling;
}

TEST(Sampling, by_conditioning_and_importance_reaches_what_plain_sampling_never_sees) {
  const Given rare = {{"N", 1000.0}, {"scale", 1.0}};
  constexpr double samples = 1000, unseen = 1e-6 / samples;  // plain sampling would see one once in a million times
  EXPECT_EQ(sampled("softmax_dominance", rare, "plain", samples).value, 0);
  const Outcome conditioned = sampled("softmax_dominance", rare, "conditioned", 2000),
                importance = sampled("softmax_dominance", rare, "importance", 20'000);
  expect_agreement(conditioned, importance);
  for (const Outcome& found : {conditioned, importance}) {
    EXPECT_GT(found.value, 0);
    EXPECT_GT(found.interval.lower, 0);
    EXPECT_LT(found.interval.width(), found.value);
    EXPECT_LT(found.interval.upper, unseen);
  }
}

TEST(Sampling, keeps_nothing_of_the_size_of_the_budget) {
  struct Case {
    const char *quantity, *sampling;
    Given at;
  };
  const Given many = {{"N", 1000.0}, {"scale", 0.1}, {"sigma", 0.2}}, few = {{"N", 2.0}};
  for (const Case& taken :
       {Case{"softmax_perturbation", "controlled", many}, Case{"softmax_perturbation", "stratified", few},
        Case{"softmax_perturbation", "quasi", few}, Case{"softmax_dominance", "conditioned", few},
        Case{"softmax_dominance", "importance", few}}) {
    const auto peak = [&](std::uint64_t budget) {
      return tests::peak_of_allocations([&] { sampled(taken.quantity, taken.at, taken.sampling, budget); });
    };
    peak(1024);                              // What is made once stays.
    constexpr std::size_t noise = 16 << 10;  // of threads that begin and end as they happen to
    EXPECT_LE(peak(8 * 1024), peak(1024) + noise) << taken.quantity << ' ' << taken.sampling;
  }
}

}  // namespace
}  // namespace attest::quantities
