// Attest's device kernels timed on a CUDA device, in JSON lines.
//
//   bench_device sweeps             each sweep's whole call at 2^30 elements, beside the processor's at 2^26
//   bench_device sweeps-alone       the same without the processor's
//   bench_device attention          forward and backward passes between events of the device, no copies
//   bench_device profile            one call of everything, small: what a profiler is to look at
//
// Exit code 2 for wrong use, 1 without a device.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <cuda_runtime.h>
#include <fmt/format.h>

#include "kernels/attention/attend/attend_cuda.hpp"
#include "kernels/device/devices.hpp"
#include "kernels/regression/smoother.hpp"
#include "kernels/residual/grc_scan.hpp"
#include "kernels/softmax/jacobian_norm_cuda.hpp"
#include "kernels/softmax/streamed_perturbation.hpp"
#include "kernels/streams/pair_moments.hpp"
#include "kernels/streams/random_matrix_norms.hpp"

namespace attest {
namespace {

/// The least seconds of `runs` calls, after one that warms up.
double seconds(const std::function<void()>& call, int runs) {
  double least = HUGE_VAL;
  for (int run = 0; run <= runs; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    const double time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (run > 0 || runs == 0) least = std::min(least, time);
  }
  return least;
}

/// A sweep's kernel: one call at n elements, on the device or with `threads` of the processor.
struct Sweep {
  std::string name;
  std::function<void(std::uint64_t n)> device;
  std::function<void(std::uint64_t n, unsigned threads)> processor;
};

std::vector<Sweep> sweeps() {
  using random::Law;
  const streams::Noise gaussian{Law::gaussian(), 1, 5, 1}, laplace{Law::laplace(), 2, 5, 2};
  const auto perturbed = [=](softmax::StreamedPerturbation<double> softmax) {
    std::vector<double> norms(1);
    softmax.norms(gaussian, 0, norms, std::thread::hardware_concurrency());
  };
  const auto smoother = [](std::uint64_t n) {
    return regression::Smoother{.n = n, .x = 0.1, .h = 0.3, .stream = {1, 2, 3}};
  };
  const auto grid = [](std::uint64_t n) { return residual::GrcGrid{{0, 1, n >> 15}, {0, 1, 1 << 10}, 32, 1}; };
  return {
      {"pair moments, gaussian", [=](std::uint64_t n) { streams::pair_moments_on_cuda(n, gaussian, laplace, 0); },
       [=](std::uint64_t n, unsigned threads) { streams::pair_moments(n, gaussian, laplace, 0, threads); }},
      {"softmax perturbation, equal logits",
       [=](std::uint64_t n) {
         perturbed({n, {Law::laplace(), 0, 5, 2}, softmax::perturbation_blocks_on_cuda()});
       },
       [=](std::uint64_t n, unsigned threads) {
         perturbed({n, {Law::laplace(), 0, 5, 2}, threads});
       }},
      {"softmax perturbation, drawn logits",
       [=](std::uint64_t n) {
         perturbed({n, laplace, softmax::perturbation_blocks_on_cuda()});
       },
       [=](std::uint64_t n, unsigned threads) {
         perturbed({n, laplace, threads});
       }},
      {"norm of the softmax Jacobian", [=](std::uint64_t n) { softmax::jacobian_norm_on_cuda(n, laplace, 0); },
       [=](std::uint64_t n, unsigned threads) {
         softmax::StreamedPerturbation<double>(n, {Law::rademacher(), 0, 1, 1}, threads)
             .jacobian_norm(laplace, 0, threads);
       }},
      {"smoother, gaussian kernel", [=](std::uint64_t n) { regression::smoother_risks_on_cuda(smoother(n)); },
       [=](std::uint64_t n, unsigned threads) { regression::smoother_risks(smoother(n), threads); }},
      {"residual recursion, points (L, t, n)", [=](std::uint64_t n) { residual::scan_grc_on_cuda(grid(n)); },
       [=](std::uint64_t n, unsigned threads) { residual::scan_grc(grid(n), threads); }},
      {"Gram matrix of random rows, entries of 256 columns",
       [=](std::uint64_t n) { streams::gram_of_random_rows_on_cuda(n / 256, 256, gaussian, 0); },
       [=](std::uint64_t n, unsigned threads) { streams::gram_of_random_rows(n / 256, 256, gaussian, 0, threads); }},
  };
}

void time_sweeps(std::uint64_t on_device, std::uint64_t on_processor, int runs) {
  const unsigned threads = std::thread::hardware_concurrency();
  for (const Sweep& sweep : sweeps()) {
    const double device = seconds([&] { sweep.device(on_device); }, runs);
    fmt::print(R"({{"sweep": "{}", "elements": {}, "seconds": {:.4g}, "elements_per_second": {:.4g}}})"
               "\n",
               sweep.name, on_device, device, static_cast<double>(on_device) / device);
    if (on_processor > 0) {
      const double processor = seconds([&] { sweep.processor(on_processor, threads); }, runs);
      const double ratio = static_cast<double>(on_device) / device / (static_cast<double>(on_processor) / processor);
      fmt::print(R"({{"sweep": "{}", "elements": {}, "seconds": {:.4g}, "processor_threads": {}, "ratio": {:.4g}}})"
                 "\n",
                 sweep.name, on_processor, processor, threads, ratio);
    }
    std::fflush(stdout);
  }
}

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// The median of `runs` times between events of the device.
double device_seconds(const std::function<void()>& step, int runs) {
  cudaEvent_t begin = nullptr, end = nullptr;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  if (runs > 1)
    for (int i = 0; i < 3; ++i) step();
  std::vector<float> times;
  for (int i = 0; i < runs; ++i) {
    check(cudaEventRecord(begin));
    step();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    times.push_back(0);
    check(cudaEventElapsedTime(&times.back(), begin, end));
  }
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return 1e-3 * static_cast<double>(times[static_cast<std::size_t>(runs) / 2]);
}

/// Storage on the device.
template <typename S>
struct Array {
  S* data = nullptr;
  explicit Array(attention::Index entries) { check(cudaMalloc(&data, static_cast<std::size_t>(entries) * sizeof(S))); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { static_cast<void>(cudaFree(data)); }
};

/// Gaussian entries, rounded to S: zeros would run faster than data.
template <typename S>
void fill(const Array<S>& to, attention::Index entries, std::uint64_t stream) {
  std::vector<S> host(static_cast<std::size_t>(entries));
  std::uint64_t state = 0x9E3779B97F4A7C15U * (stream + 1);
  for (S& entry : host) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      sum += static_cast<double>(state >> 11) * 0x1p-53;
    }
    if constexpr (std::is_same_v<S, attention::Bfloat16>)
      entry.bits = static_cast<std::uint16_t>(__builtin_bit_cast(std::uint32_t, static_cast<float>(sum)) >> 16);
    else
      entry = static_cast<S>(sum);
  }
  check(cudaMemcpy(to.data, host.data(), host.size() * sizeof(S), cudaMemcpyHostToDevice));
}

/// What is added to softmax attention.
enum class With { nothing, alibi, dropout };

template <typename S>
void time_attention(const char* type, attention::Index heads, attention::Index n, attention::Index dim, bool causal,
                    int runs, With with = With::nothing) {
  using T = typename attention::CudaAccumulator<S>::Type;
  const attention::Index size = heads * n * dim;
  const Array<S> q(size), k(size), v(size), out(size), dout(size), dq(size), dk(size), dv(size);
  const Array<T> largest(heads * n), normaliser(heads * n);
  std::uint64_t stream = 0;
  for (const Array<S>* array : {&q, &k, &v, &dout}) fill(*array, size, stream++);
  const auto view = [=](const Array<S>& array) { return attention::HeadsView<S>{array.data, size, n * dim, dim}; };
  attention::CudaAttendProblem<S> p;
  p.batch = 1, p.heads = heads, p.queries = p.keys = n, p.dim = p.value_dim = dim;
  p.q = view(q).read_only(), p.k = view(k).read_only(), p.v = view(v).read_only();
  p.scale = static_cast<T>(1 / std::sqrt(static_cast<double>(dim)));
  p.mask.causal = causal;
  const Array<T> slopes(heads);
  if (with == With::alibi) {
    std::vector<T> powers;
    for (attention::Index h = 0; h < heads; ++h)
      powers.push_back(static_cast<T>(std::exp2(-8.0 * static_cast<double>(h + 1) / static_cast<double>(heads))));
    check(cudaMemcpy(slopes.data, powers.data(), powers.size() * sizeof(T), cudaMemcpyHostToDevice));
    p.slopes = slopes.data;
  }
  if (with == With::dropout) p.dropout = {0.2, 1};
  const double forward =
      device_seconds([&] { attention::attend_cuda_view(p, view(out), largest.data, normaliser.data); }, runs);
  const double backward = device_seconds(
      [&] {
        attention::attend_backward_cuda_view(p, view(out).read_only(), largest.data, normaliser.data,
                                             view(dout).read_only(), {view(dq), view(dk), view(dv), nullptr});
      },
      runs);
  const double products = static_cast<double>(heads * n) * static_cast<double>(n * dim) * (causal ? 0.5 : 1);
  fmt::print(
      R"({{"attention": "{}", "with": "{}", "heads": {}, "tokens": {}, "features": {}, "causal": {}, )"
      R"("forward_seconds": {:.4g}, "forward_flops": {:.4g}, "backward_seconds": {:.4g}, "backward_flops": {:.4g}}})"
      "\n",
      type,
      with == With::nothing ? ""
      : with == With::alibi ? "alibi"
                            : "dropout",
      heads, n, dim, causal, forward, 4 * products / forward, backward, 10 * products / backward);
  std::fflush(stdout);
}

void time_attentions() {
  for (const attention::Index dim : {64, 128})
    for (const attention::Index n : {1024, 4096, 16384})
      for (const bool causal : {false, true})
        time_attention<attention::Bfloat16>("bfloat16", 2048 / dim, n, dim, causal, n > 8192 ? 5 : 20);
  for (const With with : {With::alibi, With::dropout})
    for (const attention::Index dim : {64, 128})
      time_attention<attention::Bfloat16>("bfloat16", 2048 / dim, 4096, dim, true, 20, with);
  time_attention<float>("float32", 16, 4096, 64, false, 5);
  time_attention<double>("float64", 16, 4096, 64, false, 5);
}

int run(std::string_view part) {
  if (const auto found = device::cuda_devices(); found.devices.empty()) {
    fmt::print(stderr, "bench_device: {}\n", found.absence);
    return 1;
  }
  if (part == "sweeps") {
    time_sweeps(1U << 30, 1U << 26, 2);
  } else if (part == "sweeps-alone") {
    time_sweeps(1U << 30, 0, 2);
  } else if (part == "attention") {
    time_attentions();
  } else if (part == "profile") {
    time_sweeps(1U << 26, 0, 0);
    time_attention<attention::Bfloat16>("bfloat16", 16, 4096, 128, false, 1);
    time_attention<float>("float32", 16, 2048, 64, false, 1);
  } else {
    fmt::print(stderr, "usage: bench_device sweeps|sweeps-alone|attention|profile\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace attest

int main(int argc, char** argv) {
  try {
    return attest::run(argc == 2 ? argv[1] : "");
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_device: {}\n", error.what());
    return 1;
  }
}
