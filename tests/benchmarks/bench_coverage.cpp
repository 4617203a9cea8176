// How often intervals that are looked at after every observation miss, over null runs.
//   bench_coverage [runs] [threads]
// For every class of intervals and every law that the class admits: runs of 200 observations at level 0.001 in which
// the interval ever left out the mean, with Clopper's and Pearson's interval at 99.9 percent for the rate, and the
// median half width at the end in sigma/sqrt(n). Then false calls of the paired referee at level 0.01, one comparison
// for every 40 runs. The same seeds give the same table for any number of threads.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "kernels/parallel/blocks.hpp"
#include "kernels/statistics/anytime_interval.hpp"
#include "kernels/statistics/clopper_pearson.hpp"
#include "kernels/statistics/paired_referee.hpp"
#include "kernels/statistics/signed_rank.hpp"
#include "kernels/statistics/student.hpp"
#include "tests/support/null_laws.hpp"

namespace attest::benchmarks {
namespace {

using statistics::Interval;
using statistics::LawClass;
using statistics::Welford;
using tests::NullLaw;

constexpr double level = 1e-3;
constexpr int observations = 200;

struct Run {
  bool missed = false;
  double half_width = 0;
};

Run moments_run(const NullLaw& law, const LawClass& known, random::Stream& stream) {
  Run run;
  Welford moments;
  Interval now;
  for (int n = 1; n <= observations; ++n) {
    moments.add(law.draw(stream));
    now = anytime_mean_interval(moments, known, level);
    run.missed = run.missed || !now.contains(law.mean);
  }
  run.half_width = now.width() / 2;
  return run;
}

/// The centre of observations x, with no more of the interval than whether the truth is in it.
Run signed_rank_run(const std::function<double(random::Stream&)>& draw, double centre, random::Stream& stream) {
  std::vector<double> x;
  for (int n = 0; n < observations; ++n) x.push_back(draw(stream));
  bool missed = false;
  for (const auto& capital : {statistics::log_capital_above(x, centre), statistics::log_capital_below(x, centre)})
    for (const double now : capital) missed = missed || now >= -std::log(level / 2);
  return {missed, std::nan("")};
}

void print(const std::string& name, const std::string& law, double alpha, double sigma, int runs, unsigned threads,
           const std::function<Run(random::Stream&)>& one) {
  std::vector<Run> all(static_cast<std::size_t>(runs));
  parallel::for_each_block(runs, threads, [&](std::int64_t i) {
    random::Stream stream(1, random::stream_key("coverage"), static_cast<std::uint64_t>(i));
    all[static_cast<std::size_t>(i)] = one(stream);
  });
  const auto missed = std::count_if(all.begin(), all.end(), [](const Run& run) { return run.missed; });
  const Interval rate =
      statistics::clopper_pearson(static_cast<std::uint64_t>(missed), static_cast<std::uint64_t>(runs), 1e-3);
  std::nth_element(all.begin(), all.begin() + runs / 2, all.end(),
                   [](const Run& a, const Run& b) { return a.half_width < b.half_width; });
  const double width = all[all.size() / 2].half_width * std::sqrt(observations) / sigma;
  std::printf("%-22s %-16s %6g %8lld  %.5f [%.5f, %.5f]", name.c_str(), law.c_str(), alpha,
              static_cast<long long>(missed), static_cast<double>(missed) / runs, rate.lower, rate.upper);
  if (!std::isnan(width)) std::printf("  %8.3g", width);
  std::printf("\n");
  std::fflush(stdout);
}

void table(int runs, unsigned threads) {
  std::printf("%d null runs of %d observations, looked at after every one\n", runs, observations);
  std::printf("%-22s %-16s %6s %8s  %s  %s\n", "class", "law", "level", "missed", "rate [99.9 % interval]    ",
              "median half width at the end, sigma/sqrt n");
  for (const NullLaw& law : tests::null_laws()) {
    std::vector<LawClass> classes = law.classes();
    classes.push_back(LawClass::asymptotic());
    const double sigma = std::sqrt(law.variance);
    for (const LawClass& known : classes)
      print(name(known.promise), law.name, level, sigma, runs, threads,
            [&](random::Stream& stream) { return moments_run(law, known, stream); });
    print("symmetric, differences", law.name, level, sigma, runs, threads, [&](random::Stream& stream) {
      return signed_rank_run(
          [&](random::Stream& s) {
            const double first = law.draw(s);
            return first - law.draw(s);
          },
          0, stream);
    });
    if (!law.symmetric)
      print("symmetric, not admitted", law.name, level, sigma, runs, threads,
            [&](random::Stream& stream) { return signed_rank_run(law.draw, law.mean, stream); });
  }
  constexpr double student_level = 0.01;
  for (const NullLaw& law : tests::null_laws())
    print("Student's t, 5 at once", law.name, student_level, 1, runs, threads, [&](random::Stream& stream) {
      Welford moments;
      for (int i = 0; i < 5; ++i) moments.add(law.draw(stream));
      return Run{!statistics::student_interval(moments, student_level).contains(law.mean), std::nan("")};
    });
}

/// A variant compared with itself: 60 paired seeds that share what a seed does to both, looked at after every one.
void same_with_same(int comparisons, unsigned threads) {
  constexpr int seeds = 60;
  constexpr double referee_level = 0.01;
  std::printf("\n%d comparisons of a variant with itself over %d seeds, looked at after every one\n", comparisons,
              seeds);
  for (const NullLaw& law : tests::null_laws())
    print("referee, false calls", law.name, referee_level, 1, comparisons, threads, [&](random::Stream& stream) {
      std::vector<double> differences;
      for (int s = 0; s < seeds; ++s) {
        const double common = law.draw(stream), a = common + law.draw(stream);
        differences.push_back(a - (common + law.draw(stream)));
      }
      const auto found = statistics::judge_pairs(differences, {.alpha = referee_level});
      return Run{found.call != statistics::Call::undecided, std::nan("")};
    });
}

/// Pairs until a call of normal differences whose effect is so many of their standard deviations.
void until_decided(int comparisons, unsigned threads) {
  constexpr std::size_t most_pairs = 400;
  std::printf("\npairs until the referee's call at level 0.01, normal differences, %d comparisons\n", comparisons);
  std::printf("%-30s %8s %8s %8s\n", "effect in standard deviations", "10 %", "median", "90 %");
  for (const double effect : {0.3, 0.5, 1.0, 2.0, 4.0}) {
    std::vector<std::size_t> pairs(static_cast<std::size_t>(comparisons));
    parallel::for_each_block(comparisons, threads, [&](std::int64_t i) {
      random::Stream stream(2, random::stream_key("until decided"), static_cast<std::uint64_t>(i));
      std::vector<double> differences(most_pairs);
      for (double& one : differences) one = effect + stream.normal();
      const std::size_t at = statistics::judge_pairs(differences, {.alpha = 0.01}).decided_at;
      pairs[static_cast<std::size_t>(i)] = at > 0 ? at : most_pairs + 1;
    });
    std::sort(pairs.begin(), pairs.end());
    std::printf("%-30g", effect);
    for (const std::size_t tenth : {1U, 5U, 9U}) {
      const std::size_t at = pairs[tenth * pairs.size() / 10];
      if (at > most_pairs)
        std::printf("    > %zu", most_pairs);
      else
        std::printf(" %8zu", at);
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace attest::benchmarks

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::stoi(argv[1]) : 40'000;
  const unsigned threads = argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : attest::parallel::hardware_threads();
  attest::benchmarks::table(runs, threads);
  attest::benchmarks::same_with_same(std::max(1, runs / 40), threads);
  attest::benchmarks::until_decided(std::max(1, runs / 40), threads);
}
