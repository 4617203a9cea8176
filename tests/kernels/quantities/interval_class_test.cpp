// What the intervals of sampled quantities rest on, and that it holds.
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/quantity/lipschitz_variance.hpp"
#include "kernels/quantity/quantity.hpp"
#include "kernels/random/laws.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/statistics/welford.hpp"

namespace attest::quantities {
namespace {

using Given = std::map<std::string, Value, std::less<>>;

std::vector<std::string> words(const Quantity& q, const Given& given = {}) {
  std::vector<std::string> all;
  for (const ResultSpec& result : q.results)
    if (result.role == Role::estimate) all.emplace_back(interval_word(interval_class(q, result, complete(q, given))));
  return all;
}

TEST(IntervalClass, of_every_sampled_quantity_is_stated) {
  const std::map<std::string, std::vector<std::string>> stated = {
      {"consensus_distance", {"asymptotic", "asymptotic"}},
      {"kernel_consensus", {"asymptotic", "asymptotic", "range"}},
      {"random_matrix_norm", {"variance", "variance", "variance"}},
      {"sampled_residual_snr", {"asymptotic", "asymptotic", "range"}},
      {"smoother_risk", {"range", "range", "range", "asymptotic", "asymptotic", "asymptotic"}},
      {"softmax_dominance", {"range"}},
      {"softmax_lipschitz", {"range"}},
      {"softmax_lipschitz_search", {"range", "range", "enclosure"}},
      {"softmax_perturbation", {"range"}},
      {"svr_dual", {"range", "range", "asymptotic", "asymptotic", "asymptotic"}},
      {"twicing_spectrum", {"range", "range", "range"}},
  };
  for (const Quantity& q : quantities()) {
    if (q.deterministic()) {
      for (const std::string& word : words(q)) EXPECT_EQ(word, "enclosure") << q.name;
    } else {
      ASSERT_TRUE(stated.contains(q.name)) << q.name;
      EXPECT_EQ(words(q), stated.at(q.name)) << q.name;
    }
  }
}

TEST(IntervalClass, depends_on_the_arguments) {
  const auto first = [](const char* name, const Given& given) { return words(find_quantity(name), given).front(); };
  EXPECT_EQ(first("softmax_lipschitz", {{"interval", std::string("asymptotic")}}), "asymptotic");
  EXPECT_EQ(first("softmax_lipschitz", {{"sampling", std::string("quasi")}}), "asymptotic");
  EXPECT_EQ(first("softmax_perturbation", {{"sampling", std::string("controlled")}}), "asymptotic");
  EXPECT_EQ(first("softmax_dominance", {{"sampling", std::string("importance")}}), "asymptotic");
  EXPECT_EQ(first("smoother_risk", {{"design", std::string("grid")}}), "enclosure");
  EXPECT_EQ(first("random_matrix_norm", {{"law", std::string("student_t(5)")}}), "asymptotic");
}

TEST(IntervalClass, is_one_that_samples_at_the_ends_of_the_parameters_are_in) {
  // A mean outside its stated range is refused by the interval: none may be, wherever samples are extreme.
  const std::vector<std::pair<const char*, Given>> extremes = {
      {"softmax_lipschitz", {{"N", 2.0}, {"scale", 0.0}}},
      {"softmax_lipschitz", {{"N", 2.0}, {"scale", 1e3}}},
      {"softmax_perturbation", {{"N", 2.0}, {"scale", 1e3}, {"sigma", 1e3}}},
      {"softmax_perturbation", {{"N", 1000.0}, {"lead", 100.0}, {"sigma", 1e3}}},
      {"softmax_lipschitz_search", {{"N", 3.0}, {"scale", 100.0}}},
      {"twicing_spectrum", {{"N", 3.0}}},
      {"smoother_risk", {{"n", 50.0}, {"h", 2.0}, {"x", 1.0}, {"function", std::string("exponential")}}},
      {"smoother_risk", {{"n", 50.0}, {"h", 2.0}, {"x", -1.0}, {"sigma", 0.0}}},
      {"svr_dual", {{"N", 10.0}, {"C", 1e-6}}},
      {"svr_dual", {{"N", 10.0}, {"epsilon", 10.0}}},
      {"kernel_consensus", {{"N", 10.0}, {"bandwidth", 1e-3}, {"eigenvalues", 2.0}}},
  };
  for (const auto& [name, given] : extremes) {
    const Quantity& q = find_quantity(name);
    EXPECT_NO_THROW(evaluate(q, complete(q, given), {1, 40, 2})) << name;
  }
}

TEST(IntervalClass, by_range_is_wider_than_the_asymptotic_interval_and_holds_it) {
  const Quantity& q = find_quantity("softmax_lipschitz");
  const Given at = {{"N", 4.0}};
  Given asymptotic = at;
  asymptotic["interval"] = std::string("asymptotic");
  const Outcome held = evaluate(q, complete(q, at), {1, 400, 2}).at("mean"),
                narrow = evaluate(q, complete(q, asymptotic), {1, 400, 2}).at("mean");
  EXPECT_EQ(held.value, narrow.value);
  EXPECT_LT(held.interval.lower, narrow.interval.lower);
  EXPECT_GT(held.interval.upper, narrow.interval.upper);
}

TEST(LipschitzVariance, bounds_the_variance_of_convex_functions) {
  using random::Law;
  constexpr int n = 50, samples = 4000;
  for (const Law& law :
       {Law::gaussian(), Law::uniform(), Law::laplace(), Law::rademacher(), Law::sparse_three_point(0.1)}) {
    statistics::Welford sum, largest, norm;
    for (std::uint64_t s = 0; s < samples; ++s) {
      random::Stream stream(8, random::stream_key("lipschitz variance"), s);
      std::vector<double> x(n);
      random::fill(law, stream, x);
      double total = 0, most = x[0], squares = 0;
      for (const double value : x) {
        total += value;
        most = std::fmax(most, value);
        squares += value * value;
      }
      sum.add(total / std::sqrt(n));  // variance 1: no bound may be below
      largest.add(most);
      norm.add(std::sqrt(squares));
    }
    const double bound = lipschitz_variance(law);
    EXPECT_GE(bound, 1) << name(law);
    // Room for chance: the sample variance of 4000 is within a quarter of the truth for these laws.
    EXPECT_LE(largest.variance(), 1.25 * bound) << name(law);
    EXPECT_LE(norm.variance(), 1.25 * std::fmin(bound, random::fourth_moment(law) - 1)) << name(law);
  }
  EXPECT_TRUE(std::isinf(lipschitz_variance(Law::student_t(5))));
}

}  // namespace
}  // namespace attest::quantities
