#include "kernels/quantity/perturbation_samples.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "kernels/monte_carlo/control_variate.hpp"
#include "kernels/quantity/perturbation_points.hpp"
#include "kernels/quantity/sampled_mean.hpp"
#include "kernels/random/law_tails.hpp"
#include "kernels/random/law_words.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/softmax/softmax.hpp"
#include "kernels/softmax/streamed_perturbation.hpp"

namespace attest::quantities {
namespace {

using random::Law;
using random::log_moment_generating;

struct Noises {
  streams::Noise logits, noise;
};

/// The seed of one sample's logits and noise.
Noises noises_of(const PerturbationSetting& at, std::uint64_t seed, std::uint64_t sample) {
  const std::uint64_t own = random::Stream(seed, random::stream_key("softmax_perturbation"), sample).bits(0);
  return {{at.logits, at.scale, own, random::stream_key("logits")},
          {at.noise, at.sigma, own, random::stream_key("noise")}};
}

/// The streamed kernel at drawn logits, its sums made where the execution says.
softmax::StreamedPerturbation<double> at_drawn_logits(std::size_t n, const streams::Noise& logits,
                                                      const Execution& execution, unsigned threads) {
  if (execution.on_cuda) return {n, logits, softmax::perturbation_blocks_on_cuda()};
  return {n, logits, threads};
}

double plain_sample(const PerturbationSetting& at, const Execution& execution, std::uint64_t sample, unsigned threads) {
  const auto [logits, noise] = noises_of(at, execution.seed, sample);
  double norm = 0;
  if (at.lead == 0) {
    at_drawn_logits(at.n, logits, execution, threads).norms(noise, 0, {&norm, 1}, threads);
    return norm;
  }
  std::vector<double> c(at.n);
  random::Stream stream(logits.seed, logits.key, 0);
  random::fill(at.logits, stream, c);
  for (double& value : c) value *= at.scale;
  c.front() += at.lead * std::log(static_cast<double>(at.n));
  softmax::StreamedPerturbation<double>(c).norms(noise, 0, {&norm, 1}, threads);
  return norm;
}

constexpr std::size_t controls = 5;

/// E a, E a^2, E a w, E a^2 w, E a^2 w^2 for a = exp(c), w = exp(eta) - 1.
struct KnownMeans {
  std::array<double, controls> of;
};

/// E (exp(eta) - 1)^4, where nothing cancels in it; the leading term of small noise otherwise.
double fourth_growth(const Law& law, double sigma) {
  if (sigma < 0.05) return fourth_moment(law) * std::pow(sigma, 4);
  const auto m = [&](int k) { return std::exp(log_moment_generating(law, k * sigma)); };
  return m(4) - 4 * m(3) + 6 * m(2) - 4 * m(1) + 1;
}

KnownMeans known_means(const PerturbationSetting& at) {
  if (at.lead != 0) throw std::invalid_argument("sampling = controlled: it needs lead = 0; use plain");
  const double a = std::exp(log_moment_generating(at.logits, at.scale));
  const double a2 = std::exp(log_moment_generating(at.logits, 2 * at.scale));
  const double w = std::expm1(log_moment_generating(at.noise, at.sigma));
  const double w2 = std::expm1(log_moment_generating(at.noise, 2 * at.sigma)) - 2 * w;
  // The squared relative spread of the mean of a^2 w^2, the widest of the five: beyond a tenth the samples' mean of a
  // control is far from normal, and intervals made with it would miss too often.
  const double a4 = std::exp(log_moment_generating(at.logits, 4 * at.scale));
  const double spread = a4 * fourth_growth(at.noise, at.sigma) / std::pow(a2 * w2, 2) / static_cast<double>(at.n);
  constexpr double most_spread = 0.1;
  if (!(spread <= most_spread))
    throw std::invalid_argument(
        fmt::format("sampling = controlled: the controls' relative variance {:.3g} is above {}; use plain, a larger N, "
                    "smaller scales or laws with exponential moments",
                    spread, most_spread));
  return {{a, a2, a * w, a2 * w, a2 * w2}};
}

Outcome controlled(const PerturbationSetting& at, const Execution& execution) {
  const KnownMeans known = known_means(at);
  const ThreadShare share(execution, at.n);
  const auto statistic = [&](std::uint64_t sample, std::span<double> c) {
    const auto [logits, noise] = noises_of(at, execution.seed, sample);
    const auto found = at_drawn_logits(at.n, logits, execution, share.inner).means(noise, 0, share.inner);
    const std::array<double, controls> means = {found.a, found.a2, found.aw, found.a2w, found.a2w2};
    for (std::size_t i = 0; i < controls; ++i) c[i] = means[i] - known.of[i];
    return found.norm;
  };
  constexpr std::uint64_t pilot = 32;
  const std::uint64_t samples = std::max<std::uint64_t>(2, execution.samples);
  return mean_outcome(monte_carlo::reduced_moments(statistic, controls, samples, pilot, share.over_samples).reduced,
                      statistics::LawClass::asymptotic());
}

constexpr std::uint32_t points_key = random::stream_key("softmax_perturbation points");

Outcome stratified(const PerturbationSetting& at, const Execution& execution) {
  const auto logit_words = static_cast<std::size_t>(words_per_draw(at.logits));
  const auto noise_words = static_cast<std::size_t>(words_per_draw(at.noise));
  const auto norm = [&](std::span<const std::uint64_t> words) {
    thread_local std::vector<double> c, moved;
    c.resize(at.n);
    moved.resize(at.n);
    std::size_t next = 0;
    const auto draw = [&](const Law& law, std::size_t used) {
      const double value = random::draw_from_words(law, words[next], words[next + used - 1]);
      next += used;
      return value;
    };
    for (double& value : c) value = at.scale * draw(at.logits, logit_words);
    c.front() += at.lead * std::log(static_cast<double>(at.n));
    for (std::size_t i = 0; i < at.n; ++i) moved[i] = c[i] + at.sigma * draw(at.noise, noise_words);
    softmax::softmax(c, c);
    softmax::softmax(moved, moved);
    return softmax::distance(moved, c);
  };
  return designed_mean(execution, "stratified", at.n * (logit_words + noise_words), points_key, norm);
}

}  // namespace

Outcome mean_perturbation(const PerturbationSetting& at, const std::string& sampling, const statistics::LawClass& known,
                          const Execution& execution) {
  if (sampling == "controlled") return controlled(at, execution);
  if (sampling == "stratified") return stratified(at, execution);
  if (sampling == "quasi") {
    const PerturbationPoints points(at);
    return designed_mean(execution, sampling, points.dimensions(), points_key, points);
  }
  const ThreadShare share(execution, at.n);
  return mean_outcome(
      sampled_moments(share.outer(execution),
                      [&](std::uint64_t sample) { return plain_sample(at, execution, sample, share.inner); }),
      known);
}

}  // namespace attest::quantities
