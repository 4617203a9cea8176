// How often one logit of a softmax holds more than a given share of the weight.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "kernels/quantity/law_parameter.hpp"
#include "kernels/quantity/quantity.hpp"
#include "kernels/quantity/sampled_mean.hpp"
#include "kernels/random/law_tails.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/softmax/jacobian_norm_cuda.hpp"
#include "kernels/softmax/streamed_perturbation.hpp"

namespace attest::quantities {
namespace {

using random::Law;

struct Setting {
  std::size_t n;
  Law law;
  double scale, share;

  /// The first of n logits holds more than `share` of the weight when it is above this, given the others' log sum of
  /// exponentials.
  double needed(double others) const { return (std::log(share / (1 - share)) + others) / scale; }
};

random::Stream stream_of(std::uint64_t seed, std::uint64_t sample) {
  return {seed, random::stream_key("softmax_dominance"), sample};
}

/// log of the sum of the exponentials of n - 1 logits.
double log_sum_of_others(const Setting& at, random::Stream& stream) {
  thread_local std::vector<double> c;
  c.resize(at.n - 1);
  random::fill(at.law, stream, c);
  double largest = -HUGE_VAL, sum = 0;
  for (double& value : c) largest = std::max(largest, value *= at.scale);
  for (const double value : c) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

/// sum_i P(the i-th of these logits, drawn again, holds more than the share | the others).
double probability_given_others(const Setting& at, random::Stream& stream) {
  thread_local std::vector<double> c;
  c.resize(at.n);
  random::fill(at.law, stream, c);
  const auto leader = static_cast<std::size_t>(std::max_element(c.begin(), c.end()) - c.begin());
  const double largest = at.scale * c[leader];
  double rest = 0;  // of the weight besides the leader's 1
  for (std::size_t i = 0; i < at.n; ++i) {
    c[i] = std::exp(at.scale * c[i] - largest);
    if (i != leader) rest += c[i];
  }
  double sum = 0;
  for (std::size_t i = 0; i < at.n; ++i)
    sum += random::upper_tail(at.law, at.needed(largest + std::log(i == leader ? rest : 1 + rest - c[i])));
  return sum;
}

/// Draws from the law alone with probability 1/2 and otherwise from its tail beyond `from`, so that no weight is above
/// 2.
struct TailMixture {
  const Law& law;
  double from, tail;

  double draw(random::Stream& stream) const {
    const bool plain = stream.next_u64() >> 63U != 0;
    return random::upper_quantile(law, stream.uniform() * (plain ? 1 : tail));
  }
  double weight(double x) const { return 2 / (1 + (x > from ? 1 / tail : 0)); }
};

bool has_density(const Law& law) {
  return law.kind != random::LawKind::rademacher && law.kind != random::LawKind::sparse_three_point;
}

/// Weighted samples may be above 1, up to 2 N where weights are small: their known range is too wide to tell of rare
/// events, so that the interval is asymptotic. What is known of a probability is put in.
Outcome as_probability(const statistics::Welford& samples) {
  const Outcome mean = mean_outcome(samples, statistics::LawClass::asymptotic());
  const auto within = [](double value) { return std::clamp(value, 0.0, 1.0); };
  return {within(mean.value), {within(mean.interval.lower), within(mean.interval.upper)}};
}

/// The events of different logits exclude each other, as the share is at least 1/2: the probability is the sum of
/// theirs, and n times the first one's.
Outcome probability(const Setting& at, const std::string& sampling, const Execution& execution) {
  const auto n = static_cast<double>(at.n);
  if (at.scale == 0) return Outcome::exact(0);
  if (execution.on_cuda && sampling != "plain")
    throw std::invalid_argument("sampling = " + sampling + " runs on the processor alone; leave cuda out");
  if (sampling == "conditioned")
    return as_probability(sampled_moments(execution, [&](std::uint64_t sample) {
      random::Stream stream = stream_of(execution.seed, sample);
      return probability_given_others(at, stream);
    }));
  if (sampling == "importance") {
    if (!has_density(at.law))
      throw std::invalid_argument("sampling = importance: the law has no density; use conditioned");
    // The others' log sum is above log(n - 1) plus their mean, mostly little.
    double from = std::max(0.0, at.needed(std::log(n - 1)));
    if (!(random::upper_tail(at.law, from) > 1e-300)) from = 0;  // The law ends before it; the others may lie lower.
    const TailMixture mixture{at.law, from, random::upper_tail(at.law, from)};
    return as_probability(sampled_moments(execution, [&](std::uint64_t sample) {
      random::Stream stream = stream_of(execution.seed, sample);
      const double others = log_sum_of_others(at, stream), first = mixture.draw(stream);
      return first > at.needed(others) ? n * mixture.weight(first) : 0;
    }));
  }
  const ThreadShare share(execution, at.n);
  const streams::Noise logits{at.law, at.scale, execution.seed, random::stream_key("softmax_dominance")};
  // The logits are what the streamed kernel calls noise, upon equal logits.
  const softmax::StreamedPerturbation<double> equal(at.n, {random::Law::rademacher(), 0}, execution.threads);
  const auto hits = sampled_moments(share.outer(execution), [&](std::uint64_t sample) {
    const double largest = execution.on_cuda ? softmax::largest_share_on_cuda(at.n, logits, sample)
                                             : equal.largest_share(logits, sample, share.inner);
    return largest > at.share ? 1.0 : 0.0;
  });
  return share_outcome(static_cast<std::uint64_t>(std::llround(hits.mean() * static_cast<double>(hits.count()))),
                       hits.count());
}

/// A share where samples are 0 or 1, nothing where they are weighted, and 0 for equal logits.
std::optional<statistics::LawClass> known(const Arguments& at) {
  if (at.real("scale") == 0) return std::nullopt;
  return at.word("sampling") == "plain" ? shares()(at) : statistics::LawClass::asymptotic();
}

}  // namespace

namespace definitions {

Quantity softmax_dominance() {
  Quantity q;
  q.name = "softmax_dominance";
  q.title = "How often one logit holds more than a given share of a softmax";
  q.formula =
      R"(P(\max_i \mathrm{softmax}(c)_i > q) = \sum_i E\,\bar F\Big(\log\tfrac{q}{1-q} + \log\sum_{j \ne i} e^{c_j}\Big))";
  q.source =
      "Ours, on Theorem 3.2 of Revisiting Transformers with Insights from Image Filtering and Boosting: where one "
      "logit dominates, noise on the others does not move a softmax, and elsewhere it averages out";
  q.parameters = {
      Parameter::integer("N", 100, 2, 100'000'000, "logits; of plain sampling nothing of this size is stored"),
      law_parameter("law", "gaussian", "law of the logits c, independent, mean 0 and variance 1"),
      Parameter::real("scale", 4, 0, 1e3, "factor of the logits"),
      Parameter::real("q", 0.5, 0.5, 0.999999, "share of the weight"),
      sampling_parameter({"conditioned", "importance"},
                         "plain: how often it happens; conditioned: each logit's probability of it given the others; "
                         "importance, for rare events: one logit drawn from its law's tail half of the time, and "
                         "weighted for it"),
  };
  q.version = 3;
  q.results = {{"probability", "that some logit holds more than the share q", Role::estimate, known}};
  q.default_samples = 1000;
  q.sample_unit = "samples";
  q.runs_on_cuda = true;
  q.evaluate = [](const Arguments& at, const Execution& execution) {
    const Setting setting{static_cast<std::size_t>(at.integer("N")), random::law_from_name(at.word("law")),
                          at.real("scale"), at.real("q")};
    return Outcomes{{"probability", probability(setting, at.word("sampling"), execution)}};
  };
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
