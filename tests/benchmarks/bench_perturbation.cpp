// Softmax perturbation: nanoseconds an element beside the floor of its own arithmetic, taken in turns.
//   bench_perturbation float64|float32 N [threads]
// The floor: the vector instructions of one element (counted by running its arithmetic on numbers that count) at the
// rate at which this machine does fused multiply-adds. Divisions and square roots have a unit of their own and are left
// out, and so are loads, stores and loops.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "kernels/parallel/blocks.hpp"
#include "kernels/random/law_steps.hpp"
#include "kernels/softmax/streamed_perturbation.hpp"
#include "tests/benchmarks/counted_lane.hpp"
#include "tests/benchmarks/fma_rate.hpp"

namespace attest::benchmarks {
namespace {

bool wide() { return streams::operations<double>().size() > 1; }

template <typename Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <typename T>
double instructions_an_element() {
  // Ten rounds of two products, two shuffles or shifts and two pairs of exclusive ors, which AVX-512 does as one each;
  // the counter's three operations; two words of shift, mask and join; two shuffles that bring the draws into order.
  const int philox = wide() ? 10 * 6 + 3 + 2 * 2 + 2 : 10 * 8 + 3 + 2 * 3 + 2;
  using Lane = CountedLane<T>;
  const CountedBits<T> word(static_cast<typename simd::Format<T>::Bits>(0x12345678));
  counted = {};
  random::normal_pair_steps<T, Lane>(word, word);
  const int pair = counted.quick;
  counted = {};
  elementary::exponential_minus_one_steps<T>(Lane(T(0.5)) * Lane(T(1)) - Lane(T(0)));
  constexpr int sums = 5;  // a w, its sum, two more sums, the largest eta.
  const double a_register = (philox + pair) / 2.0 + counted.quick + sums;
  const int lanes = (wide() ? 64 : 32) / static_cast<int>(sizeof(T));
  return a_register / lanes;
}

template <typename T>
int run(std::uint64_t n, unsigned threads) {
  const softmax::StreamedPerturbation<T> perturbation(n, {random::Law::gaussian(), 1, 1, 1});
  std::vector<double> c(n, 0.0);
  for (std::uint64_t i = 0; i < n; ++i) c[i] = 1e-4 * static_cast<double>(i % 997);
  const softmax::StreamedPerturbation<T> kept{std::span<const double>(c)};
  const streams::Noise noise{random::Law::gaussian(), 0.5, 1, 2};
  std::vector<double> norms(std::max<std::uint64_t>(2, 8'000'000 / n));
  const double elements = static_cast<double>(n) * static_cast<double>(norms.size());
  constexpr std::int64_t steps = 1 << 22;
  // Many rounds, each long enough that neither starting a thread nor the last of the tasks (65536 elements, which are
  // handed to the threads whole) takes part of it: the best of them ran undisturbed.
  double best = 1e9, best_drawn = 1e9, best_floor = 1e9;
  for (int round = 0; round < 40; ++round) {
    best = std::min(best, seconds([&] { kept.norms(noise, 0, norms, threads); }) / elements);
    best_drawn = std::min(best_drawn, seconds([&] { perturbation.norms(noise, 0, norms, threads); }) / elements);
    volatile float sink = 0;
    const double time =
        seconds([&] { parallel::for_each_block(threads, threads, [&](std::int64_t) { sink = fma_chains(steps); }); });
    const double rate = fma_flops(steps) / 2 / (wide() ? 16 : 8) * threads / time;  // Instructions per second.
    best_floor = std::min(best_floor, instructions_an_element<T>() / rate);
  }
  std::printf(
      "{\"ns\": %.3f, \"ns_with_drawn_logits\": %.3f, \"floor_ns\": %.3f, \"instructions\": %.2f, "
      "\"set\": \"%s\", \"threads\": %u}\n",
      1e9 * best, 1e9 * best_drawn, 1e9 * best_floor, instructions_an_element<T>(),
      streams::operations<T>().back()->name, threads);
  return 0;
}

}  // namespace
}  // namespace attest::benchmarks

int main(int argc, char** argv) {
  const std::string type = argc > 1 ? argv[1] : "";
  if (argc < 3 || (type != "float64" && type != "float32")) {
    std::fprintf(stderr, "usage: bench_perturbation float64|float32 N [threads]\n");
    return 2;
  }
  const std::uint64_t n = std::stoull(argv[2]);
  const unsigned threads = argc > 3 ? static_cast<unsigned>(std::stoul(argv[3])) : attest::parallel::hardware_threads();
  return type == "float64" ? attest::benchmarks::run<double>(n, threads) : attest::benchmarks::run<float>(n, threads);
}
