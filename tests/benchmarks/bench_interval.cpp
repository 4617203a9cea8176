// Time until the interval of a mean is within 0.1 percent of it.
//   bench_interval [threads]
// One JSON object per statement: seconds and samples of the run whose interval, asymptotic, at 99.9 percent and for
// every stopping time, was the first to be narrow enough while the budget doubled.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "kernels/monte_carlo/control_variate.hpp"
#include "kernels/parallel/blocks.hpp"
#include "kernels/quantity/quantity.hpp"
#include "kernels/quantity/sampled_mean.hpp"
#include "kernels/random/normal_quantile.hpp"
#include "kernels/softmax/streamed_perturbation.hpp"

namespace attest::benchmarks {
namespace {

using quantities::Execution;
using quantities::Outcome;

constexpr double aim = 1e-3;

/// E |softmax(c + eta) - softmax(c)| for N given logits c_i, which are normal quantiles times 1/2, and sigma = 1/2.
Outcome given_logits(const Execution& execution) {
  constexpr std::size_t n = 10'000;
  std::vector<double> c(n);
  for (std::size_t i = 0; i < n; ++i) c[i] = 0.5 * random::normal_quantile((static_cast<double>(i) + 0.5) / n);
  const softmax::StreamedPerturbation<double> perturbation{std::span<const double>(c)};
  const streams::Noise noise{random::Law::gaussian(), 0.5, execution.seed, 2};
  double a = 0, a2 = 0;
  for (const double value : c) a += std::exp(value) / n, a2 += std::exp(2 * value) / n;
  const double w = std::expm1(0.125), w2 = std::expm1(0.5) - 2 * w;
  const auto statistic = [&](std::uint64_t sample, std::span<double> controls) {
    const auto means = perturbation.means(noise, sample, 1);
    controls[0] = means.aw - a * w;
    controls[1] = means.a2w - a2 * w;
    controls[2] = means.a2w2 - a2 * w2;
    return means.norm;
  };
  constexpr std::uint64_t pilot = 16;
  return quantities::mean_outcome(
      monte_carlo::reduced_moments(statistic, 3, execution.samples, pilot, execution.threads).reduced,
      statistics::LawClass::asymptotic());
}

struct Statement {
  const char* name;
  const char* quantity;  ///< empty: given_logits
  std::map<std::string, quantities::Value, std::less<>> at;
};

void run(const Statement& statement, unsigned threads) {
  for (std::uint64_t budget = 16;; budget *= 2) {
    const auto start = std::chrono::steady_clock::now();
    const Execution execution{1, budget, threads};
    Outcome found;
    if (*statement.quantity == '\0') {
      found = given_logits(execution);
    } else {
      const auto& quantity = quantities::find_quantity(statement.quantity);
      found = evaluate(quantity, complete(quantity, statement.at), execution).at(quantity.results.front().name);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!(found.interval.width() / 2 <= aim * found.value)) continue;
    std::printf("{\"statement\": \"%s\", \"seconds\": %.6f, \"samples\": %llu, \"mean\": %.9g, \"half_width\": %.3g}\n",
                statement.name, seconds, static_cast<unsigned long long>(budget), found.value,
                found.interval.width() / 2);
    std::fflush(stdout);
    return;
  }
}

}  // namespace
}  // namespace attest::benchmarks

int main(int argc, char** argv) {
  using attest::benchmarks::run;
  const unsigned threads = argc > 1 ? static_cast<unsigned>(std::stoul(argv[1])) : attest::parallel::hardware_threads();
  const std::string controlled = "controlled", quasi = "quasi";
  run({"perturbation of given logits, N = 10000", "", {}}, threads);
  run({"perturbation of drawn logits, N = 10000",
       "softmax_perturbation",
       {{"N", 1e4}, {"scale", 0.5}, {"sigma", 0.5}, {"sampling", controlled}}},
      threads);
  run({"perturbation of 4 drawn logits",
       "softmax_perturbation",
       {{"N", 4.0}, {"scale", 0.5}, {"sigma", 0.5}, {"sampling", quasi}}},
      threads);
}
