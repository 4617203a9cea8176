// Attention forward and backward, float, one sequence of two heads of 32 features: time, memory, and the rate beside
// what the processor can do. tests/benchmarks/compare_attention.py runs it beside eager PyTorch.
#include <cmath>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>
#include <malloc.h>

#include "kernels/attention/attend/attend.hpp"
#include "kernels/attention/attend/twicing.hpp"
#include "kernels/parallel/blocks.hpp"
#include "tests/benchmarks/fma_rate.hpp"
#include "tests/kernels/attention/random_arrays.hpp"

namespace attest::attention {
namespace {

using Array = Tensor<float>;
constexpr Index heads = 2, dim = 32;

struct Inputs {
  explicit Inputs(Index n)
      : q(random_array<float>({1, heads, n, dim}, 1, 2)),
        k(random_array<float>({1, heads, n, dim}, 2, 2)),
        v(random_array<float>({1, heads, n, dim}, 3)),
        dout(random_array<float>({1, heads, n, dim}, 4)) {
    options.scale = 1 / std::sqrt(static_cast<float>(dim));
  }
  Array q, k, v, dout;
  AttendOptions<float> options;
};

void softmax_step(const Inputs& in) {
  const auto attended = attend(in.q, in.k, in.v, in.options);
  benchmark::DoNotOptimize(attend_backward(in.q, in.k, in.v, in.options, attended, in.dout));
}

void twicing_step(const Inputs& in) {
  const auto twiced = twicing(in.q, in.k, in.v, in.options);
  benchmark::DoNotOptimize(twicing_backward(in.q, in.k, in.v, in.options, twiced, in.dout));
}

// A line of /proc/self/status in bytes, 0 where there is none (systems other than Linux).
double status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key + ":")) return 1024 * std::stod(line.substr(key.size() + 1));
  return 0;
}

// Most resident memory during `step` beyond what was resident before it.
template <typename Step>
double peak_bytes(const Step& step) {
  malloc_trim(0);                                 // What earlier runs freed does not count as resident.
  std::ofstream("/proc/self/clear_refs") << "5";  // The high-water mark starts again.
  const double before = status_bytes("VmRSS");
  step();
  return status_bytes("VmHWM") - before;
}

// `flops`: of the tiles, forward and backward, an N x N x D product being 2 N^2 D. The products q k run in double, at
// half the rate of `fma`: at most 7/9 of its rate can be reached by softmax and 12/16 by twicing, exponentials aside.
template <typename Step>
void measure(benchmark::State& state, double products, const Step& step) {
  const auto n = state.range(0);
  const Inputs inputs(n);
  state.counters["peak_bytes"] = peak_bytes([&] { step(inputs); });
  for ([[maybe_unused]] auto _ : state) step(inputs);
  const double flops = 2 * products * static_cast<double>(n * n * dim * heads);
  state.counters["flops"] = benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
}

// Forward q k, a v; backward q k again, dout v, and three gradients.
void softmax(benchmark::State& state) { measure(state, 7, softmax_step); }
// Two forward passes; backward q k and dW, then q k, two of dA, and three gradients.
void twicing_attention(benchmark::State& state) { measure(state, 12, twicing_step); }

void fma(benchmark::State& state) {
  const auto threads = static_cast<unsigned>(state.range(0));
  constexpr std::int64_t steps = 1 << 20;
  for ([[maybe_unused]] auto _ : state)
    parallel::for_each_block(threads, threads, [](std::int64_t) { benchmark::DoNotOptimize(fma_chains(steps)); });
  state.counters["flops"] =
      benchmark::Counter(fma_flops(steps) * threads, benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(softmax)->Arg(256)->Arg(1024)->Arg(4096)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(twicing_attention)
    ->Name("twicing")
    ->Arg(256)
    ->Arg(1024)
    ->Arg(4096)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(fma)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace attest::attention

BENCHMARK_MAIN();
