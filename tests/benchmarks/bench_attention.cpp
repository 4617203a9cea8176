// Attention forward and backward in float: answers one case per line of standard input with one line of JSON, so that a
// peer can take turns with it without starting anew (tests/benchmarks/compare_attention.py does).
//
//   run MECHANISM BATCH HEADS TOKENS DIM FULL|CAUSAL|LARGE THREADS SECONDS FORWARD|BOTH [OPTION=VALUE ...]
//       Steps for about SECONDS: the median and the least time, the same of what all threads computed, the operations
//       and exponentials that are counted, and the most resident memory of one step beyond its inputs. Inputs are
//       standard normal, projections along N tokens divided by sqrt(N), except that LARGE for FULL makes logits eight
//       times as large. MECHANISM is any of `attest list
//       --attention`.
//   peak THREADS    the processor's rate of multiply-adds, the best of several attempts
//   exponentials float|double    how many a second one thread forms in its nearest cache, with the tiles' instructions
//   copy THREADS    bytes per second that a copy of 64 MiB per thread reads and writes, the best of several
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <malloc.h>

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/attend/tile_operations.hpp"
#include "kernels/attention/mechanism/example_call.hpp"
#include "kernels/attention/mechanism/mechanism.hpp"
#include "kernels/attention/sparse/sparse_pattern.hpp"
#include "kernels/attention/twicing/twicing.hpp"
#include "kernels/parallel/blocks.hpp"
#include "tests/benchmarks/fma_rate.hpp"

namespace attest::attention {
namespace {

using Array = Tensor<float>;
using Clock = std::chrono::steady_clock;

// What all threads have computed: of one thread on a busy machine the only honest time.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Case {
  std::string mechanism;
  Index batch = 1, heads = 1, tokens = 1, dim = 1;
  bool causal = false, large = false, backward = true;
  unsigned threads = 1;
  Settings settings;
};

class Problem {
 public:
  explicit Problem(const Case& c) : case_(c), mechanism_(find_mechanism(c.mechanism)) {
    const Shape shape{c.batch, c.heads, c.tokens, c.dim};
    dout_ = example_array<float>(shape, "dout", 1);
    if (plain()) {
      q_ = example_array<float>(shape, "q", 1);
      k_ = example_array<float>(shape, "k", 1);
      v_ = example_array<float>(shape, "v", 1);
      options_.scale = (c.large ? 8 : 1) / std::sqrt(static_cast<float>(c.dim));
      options_.mask.causal = c.causal;
      options_.threads = c.threads;
      return;
    }
    Letters letters = example_letters();
    for (const auto& [letter, extent] :
         std::map<std::string, Index>{{"B", c.batch},
                                      {"H", c.heads},
                                      {"H_kv", c.heads},
                                      {"N", c.tokens},
                                      {"N_q", c.tokens},
                                      {"N_k", c.tokens},
                                      {"D", c.dim},
                                      {"D_v", c.dim},
                                      {"r", 256},  // the default of Linformer, which its cost counts

                                      {"C", c.heads * c.dim}})
      letters[letter] = extent;
    call_ = example_call<float>(mechanism_, c.settings, 1, {}, letters);
    // Projections along the tokens as a model starts with them, so that what they project is of the tokens' size.
    for (const char* name : {"E", "F"})
      if (const auto projection = call_.inputs.find(name); projection != call_.inputs.end())
        for (float& entry : projection->second.values()) entry /= std::sqrt(static_cast<float>(c.tokens));
    call_.threads = c.threads;
    call_.inputs_stay = true;  // as in `attest train`
    call_.mask.causal = c.causal;
  }

  void step() {
    if (!plain()) {
      Evaluation<float> evaluation = evaluate(mechanism_, call_);
      if (case_.backward) evaluation.backward(dout_);
    } else if (case_.mechanism == "softmax") {
      make_results();
      const auto problem = view();
      attend_view(problem, heads_view(out_), largest_.data(), normaliser_.data());
      if (case_.backward)
        attend_backward_view<float>(problem, heads_view(std::as_const(out_)), largest_.data(), normaliser_.data(),
                                    heads_view(std::as_const(dout_)), gradients());
    } else {
      make_results();
      const auto problem = view();
      twicing_view(problem, heads_view(out_), heads_view(smoothed_), largest_.data(), normaliser_.data());
      if (case_.backward)
        twicing_backward_view<float>(problem, heads_view(std::as_const(out_)), heads_view(std::as_const(smoothed_)),
                                     largest_.data(), normaliser_.data(), heads_view(std::as_const(dout_)),
                                     gradients());
    }
  }

  // What is counted: multiply-adds as two operations, and all others (kernels/attention/cost/cost.hpp).
  Cost cost() const {
    return mechanism_.cost({.batch = case_.batch,
                            .heads = case_.heads,
                            .queries = case_.tokens,
                            .keys = case_.tokens,
                            .dim = case_.dim,
                            .value_dim = case_.dim,
                            .causal = case_.causal},
                           case_.settings);
  }

  // Least number of exponentials where no softmax weight or feature is kept for the way back: the cost's operations
  // count one as one, and it takes as long as twenty.
  double exponentials() const {
    const double n = static_cast<double>(case_.tokens), d = static_cast<double>(case_.dim),
                 heads = static_cast<double>(case_.batch * case_.heads), passes = case_.backward ? 2 : 1;
    const std::string& name = case_.mechanism;
    double once = case_.causal ? n * (n + 1) / 2 : n * n;
    if (name == "twicing") once *= 2;
    if (name == "linear" || name == "linear-bn") once = 2 * n * d;
    if (name == "linear-twicing") once = 4 * n * d;
    if (name == "linformer") once = n * std::min(n, 256.0);
    if (name == "nystromformer") once = 2 * n * 64 + 64 * 64;
    if (name == "attention-sh") once *= 0.75;  // factors=1,2
    if (name == "sparse") {
      const Index stride = static_cast<Index>(std::sqrt(n));
      once = static_cast<double>(strided_pattern(case_.tokens, case_.tokens, stride, case_.causal).pairs());
    }
    return heads * passes * once;
  }

  // Inputs read, output and gradients written, inputs and the output's gradient read once more.
  double least_bytes() const {
    double inputs = 0;
    for (const auto& [name, array] : call_.inputs) inputs += static_cast<double>(array.size());
    if (plain()) inputs = static_cast<double>(q_.size() + k_.size() + v_.size());
    const double out = static_cast<double>(dout_.size());
    return 4 * (case_.backward ? 3 * inputs + 2 * out : inputs + out);
  }

 private:
  // In the first step, so that they are counted as its memory.
  void make_results() {
    if (!out_.empty()) return;
    for (Array* array : {&out_, &smoothed_, &dq_, &dk_, &dv_}) *array = Array(dout_.shape());
    largest_ = normaliser_ = Array({case_.batch, case_.heads, case_.tokens});
  }

  // Results are where a model has them, as in `attest train`; the peer's allocator does not fill them either.
  AttendProblem<float> view() const {
    return {.batch = case_.batch,
            .heads = case_.heads,
            .queries = case_.tokens,
            .keys = case_.tokens,
            .dim = case_.dim,
            .value_dim = case_.dim,
            .q = heads_view(q_),
            .k = heads_view(k_),
            .v = heads_view(v_),
            .scale = options_.scale,
            .mask = {.causal = case_.causal},
            .threads = case_.threads};
  }
  AttendGradientViews<float> gradients() { return {heads_view(dq_), heads_view(dk_), heads_view(dv_)}; }

  bool plain() const {
    return (case_.mechanism == "softmax" || case_.mechanism == "twicing") && case_.settings.empty();
  }

  Case case_;
  const Mechanism& mechanism_;
  Call<float> call_;
  Array q_, k_, v_, dout_, out_, smoothed_, dq_, dk_, dv_, largest_, normaliser_;
  AttendOptions<float> options_;
};

// A line of /proc/self/status in bytes, 0 where there is none (systems other than Linux).
double status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key + ":")) return 1024 * std::stod(line.substr(key.size() + 1));
  return 0;
}

// Most resident memory during a step beyond what was resident before it.
double peak_bytes(Problem& problem) {
  malloc_trim(0);                                 // What earlier runs freed does not count as resident.
  std::ofstream("/proc/self/clear_refs") << "5";  // The high-water mark starts again.
  const double before = status_bytes("VmRSS");
  problem.step();
  return status_bytes("VmHWM") - before;
}

std::string run(std::istringstream& words) {
  Case c;
  std::string mask, passes;
  double limit = 0;
  words >> c.mechanism >> c.batch >> c.heads >> c.tokens >> c.dim >> mask >> c.threads >> limit >> passes;
  c.causal = mask == "CAUSAL";
  c.large = mask == "LARGE";
  c.backward = passes == "BOTH";
  for (std::string option; words >> option;) {
    const auto equals = option.find('=');
    c.settings[option.substr(0, equals)] = option.substr(equals + 1);
  }
  // The case of the call before is kept: a comparison asks for it again and again.
  static std::string kept_words;
  static std::optional<Problem> problem;
  static double memory = 0;
  if (kept_words != words.str()) {
    problem.emplace(c);
    memory = peak_bytes(*problem);
    kept_words = words.str();
  }
  std::vector<double> times, computed;
  for (const auto start = Clock::now(); times.empty() || seconds_since(start) < limit;) {
    const auto begun = Clock::now();
    const double before = processor_seconds();
    problem->step();
    times.push_back(seconds_since(begun));
    computed.push_back(processor_seconds() - before);
  }
  std::sort(times.begin(), times.end());
  std::sort(computed.begin(), computed.end());
  const Cost cost = problem->cost();
  const double macs = cost.forward_macs + (c.backward ? cost.backward_macs : 0),
               flops = cost.forward_flops + (c.backward ? cost.backward_flops : 0);
  return fmt::format(
      R"({{"seconds": {}, "least_seconds": {}, "processor_seconds": {}, "least_processor_seconds": {}, "exponentials": {}, "runs": {}, "product_flops": {}, "other_flops": {}, "bytes": {}, "peak_bytes": {}}})",
      times[times.size() / 2], times.front(), computed[computed.size() / 2], computed.front(), problem->exponentials(),
      times.size(), 2 * macs, flops - 2 * macs, problem->least_bytes(), memory);
}

constexpr int attempts = 7;

double multiply_add_peak(unsigned threads) {
  constexpr std::int64_t steps = 1 << 18;
  double best = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto start = Clock::now();
    const double before = processor_seconds();
    parallel::for_each_block(threads, threads,
                             [](std::int64_t) { [[maybe_unused]] volatile const float kept = fma_chains(steps); });
    // One thread's own time knows nothing of other programs.
    const double seconds = threads == 1 ? processor_seconds() - before : seconds_since(start);
    best = std::max(best, fma_flops(steps) * threads / seconds);
  }
  return best;
}

template <typename T>
double exponential_rate() {
  constexpr Index numbers = 1024, passes = 1024;
  std::vector<T> x(numbers);
  double best = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    std::fill(x.begin(), x.end(), T(-1));
    const double before = processor_seconds();
    for (Index pass = 0; pass < passes; ++pass) tile_operations<T>().back()->features(x.data(), numbers);
    best = std::max(best, static_cast<double>(numbers * passes) / (processor_seconds() - before));
  }
  return best;
}

double copy_rate(unsigned threads) {
  constexpr std::size_t size = std::size_t{64} << 20;
  static std::vector<char> from, to;
  from.resize(size * threads, 1);
  to.resize(size * threads, 2);
  double best = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto start = Clock::now();
    parallel::for_each_block(threads, threads, [&](std::int64_t part) {
      std::memcpy(to.data() + static_cast<std::size_t>(part) * size,
                  from.data() + static_cast<std::size_t>(part) * size, size);
    });
    best = std::max(best, 2.0 * static_cast<double>(size) * threads / seconds_since(start));
  }
  return best;
}

std::string answer(const std::string& line) {
  std::istringstream words(line);
  std::string what;
  words >> what;
  if (what == "run") return run(words);
  if (what == "exponentials") {
    std::string type;
    words >> type;
    return fmt::format(R"({{"per_second": {}}})",
                       type == "float" ? exponential_rate<float>() : exponential_rate<double>());
  }
  unsigned threads = 0;
  words >> threads;
  if (what == "peak") return fmt::format(R"({{"flops": {}}})", multiply_add_peak(threads));
  if (what == "copy") return fmt::format(R"({{"bytes_per_second": {}}})", copy_rate(threads));
  return fmt::format(R"({{"error": "unknown request {}"}})", what);
}

}  // namespace
}  // namespace attest::attention

int main() {
  // Memory that a step frees is there for the next one, as in `attest train`; the peer is started likewise.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  for (std::string line; std::getline(std::cin, line);) {
    std::string reply;
    try {
      reply = attest::attention::answer(line);
    } catch (const std::exception& failure) {
      reply = fmt::format(R"({{"error": "{}"}})", failure.what());
    }
    std::cout << reply << std::endl;
  }
}
