// The sweeps' kernels, one thread each, beside the floor of their own arithmetic: `of_floor` is the part of the
// kernel's time that its vector instructions need at the rate of this machine's fused multiply-adds, or, for what only
// moves memory, its bytes at the rate of a copy. Divisions, square roots, loads, stores and loops are left out of the
// floor.
//   bench_sweeps [--benchmark_filter=...] [--benchmark_format=json]
#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <vector>

#include <benchmark/benchmark.h>

#include "kernels/random/law_steps.hpp"
#include "kernels/regression/smoother.hpp"
#include "kernels/residual/grc_scan.hpp"
#include "kernels/residual/grc_steps.hpp"
#include "kernels/softmax/jacobian_iteration.hpp"
#include "kernels/softmax/streamed_perturbation.hpp"
#include "kernels/streams/pair_moments.hpp"
#include "kernels/streams/random_matrix_norms.hpp"
#include "tests/benchmarks/counted_lane.hpp"
#include "tests/benchmarks/fma_rate.hpp"

namespace attest::benchmarks {
namespace {

using Lane = CountedLane<double>;

/// Of the processor, as the benchmarks' own are.
template <typename Work>
double seconds(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

bool wide() { return streams::operations<double>().size() > 1; }
double lanes() { return wide() ? 8 : 4; }

/// Vector instructions per second; the best of several short runs went undisturbed.
double instruction_rate() {
  constexpr std::int64_t steps = 1 << 20;
  double best = 1e9;
  volatile float sink = 0;
  for (int round = 0; round < 20; ++round) best = std::min(best, seconds([&] { sink = fma_chains(steps); }));
  return fma_flops(steps) / 2 / (wide() ? 16 : 8) / best;
}

/// Bytes per second, read and written, of a copy far larger than the caches.
double byte_rate() {
  std::vector<char> from(std::size_t{1} << 28, 1), to(from.size());
  double best = 1e9;
  for (int round = 0; round < 3; ++round)
    best = std::min(best, seconds([&] {
                      std::memcpy(to.data(), from.data(), from.size());
                      benchmark::ClobberMemory();
                    }));
  return 2 * static_cast<double>(from.size()) / best;
}

template <typename Body>
double counted_instructions(const Body& body) {
  counted = {};
  body();
  return counted.quick;
}

/// Of one normal draw: half of a pair, and half of Philox's rounds for two words a lane (bench_perturbation.cpp).
double draw_instructions() {
  const int philox = wide() ? 10 * 6 + 3 + 2 * 2 + 2 : 10 * 8 + 3 + 2 * 3 + 2;
  const CountedBits<double> word(0x123456789ABCDEFULL);
  return (philox + counted_instructions([&] { random::normal_pair_steps<double, Lane>(word, word); })) / 2;
}

/// Of one uniform draw.
double uniform_instructions() {
  const int philox = wide() ? 10 * 6 + 3 + 2 * 2 + 2 : 10 * 8 + 3 + 2 * 3 + 2;
  const CountedBits<double> word(0x123456789ABCDEFULL);
  return philox / 2.0 + counted_instructions([&] { random::uniform_steps<double, Lane>(word); });
}

/// Reports nanoseconds an element and the part of the floor: `instructions` of the widest registers an element.
void report(benchmark::State& state, double elements, double instructions, double width) {
  state.counters["elements"] = benchmark::Counter(elements, benchmark::Counter::kIsIterationInvariantRate);
  const double floor = elements * instructions / width / instruction_rate();
  state.counters["of_floor"] =
      benchmark::Counter(floor, benchmark::Counter::kIsIterationInvariantRate);  // seconds of floor a second
}

void residual_snr(benchmark::State& state) {
  const auto n = static_cast<std::uint64_t>(state.range(0));
  const streams::Noise x{random::Law::gaussian(), 1, 1, 1}, y{random::Law::gaussian(), 1, 1, 2};
  std::uint64_t sample = 0;
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(streams::pair_moments(n, x, y, sample++, 1));
  report(state, static_cast<double>(n), 2 * draw_instructions() + 5, lanes());
}

void softmax_jacobian(benchmark::State& state) {
  const auto n = static_cast<std::uint64_t>(state.range(0));
  const softmax::StreamedPerturbation<double> equal(n, {random::Law::rademacher(), 0, 1, 1});
  const streams::Noise logits{random::Law::gaussian(), 1, 1, 2};
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(equal.jacobian_norm(logits, 0, 1));
  // At least three passes: the largest logit, the two largest weights, and one step of the secular equation.
  const double exponential =
      counted_instructions([] { elementary::exponential_steps<double>(Lane(0.5) * Lane(1.0) - Lane(0.0)); });
  report(state, static_cast<double>(n), 3 * (draw_instructions() + exponential + 4), lanes());
}

/// One pass reads and writes v and reads p: 24 bytes an element.
void power_iteration(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  std::vector<double> p(n, 1.0), v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = std::sin(static_cast<double>(i));
  constexpr int steps = 8;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(softmax::jacobian_power_iteration(p, v, {0, steps, 1}));
  const double bytes = 24.0 * static_cast<double>(n) * (steps + 1);
  state.counters["bytes"] = benchmark::Counter(bytes, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of_floor"] = benchmark::Counter(bytes / byte_rate(), benchmark::Counter::kIsIterationInvariantRate);
}

void smoother(benchmark::State& state) {
  const auto n = static_cast<std::uint64_t>(state.range(0));
  const regression::Smoother s{.n = n, .x = 0.1, .h = 0.2, .stream = {1, 2, 3}};
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(regression::smoother_risks(s, 1));
  Lane rows[regression::smoother_rows];
  const double terms = counted_instructions([&] {
    regression::add_observation(regression::SmoothingKernel::gaussian, regression::SmoothedCurve::bump, Lane(0.1),
                                Lane(0.2), 1.0, rows);
  });
  // The sums are made in registers of the baseline, of four numbers.
  report(state, static_cast<double>(n), uniform_instructions() * 4 / lanes() + terms + 5, 4);
}

void grc_grid(benchmark::State& state) {
  const auto side = static_cast<std::uint64_t>(state.range(0));
  const residual::GrcGrid grid{{0, 2, side}, {0, 1, side}, 1000, 10};
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(residual::scan_grc(grid, 1));
  auto recursion = residual::GrcRecursion<Lane>::first_layer(Lane(1.0), Lane(0.5));
  auto tally = residual::GrcRecursion<Lane>::nothing_seen();
  const double point = counted_instructions([&] {
    recursion.next_layer();
    recursion.count(Lane(2.0), Lane(9.9), Lane(10.1), tally);
  });
  report(state, 1000.0 * static_cast<double>(side * side), point, 4);
}

void matrix_norms(benchmark::State& state) {
  const auto n = static_cast<std::uint64_t>(state.range(0)), d = static_cast<std::uint64_t>(state.range(1));
  const streams::Noise entries{random::Law::gaussian(), 1, 1, 1};
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(streams::gram_of_random_rows(n, d, entries, 0, 1).gram.data());
  // An entry of the lower triangle for each of the d + 1 halves, and its draw.
  report(state, static_cast<double>(n * d), (static_cast<double>(d) + 1) / 2 + draw_instructions() + 1, lanes());
}

BENCHMARK(residual_snr)->Arg(1000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(softmax_jacobian)->Arg(1000)->Arg(4'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(power_iteration)->Arg(16'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(smoother)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(grc_grid)->Arg(200)->Unit(benchmark::kMillisecond);
BENCHMARK(matrix_norms)->Args({50'000, 256})->Args({200'000, 16})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace attest::benchmarks

BENCHMARK_MAIN();
