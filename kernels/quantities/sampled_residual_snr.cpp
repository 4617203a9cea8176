// What a residual connection does to the signal-to-noise ratio of random vectors in high dimension.
#include <cmath>
#include <limits>

#include "kernels/quantity/law_parameter.hpp"
#include "kernels/quantity/quantity.hpp"
#include "kernels/quantity/sampled_mean.hpp"
#include "kernels/random/laws.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/streams/pair_moments.hpp"

namespace attest::quantities {
namespace {

using random::Law;
using streams::Noise;
using streams::PairMoments;

/// A vector and its answer: x + a (c x + sqrt(1 - c^2) y) for independent x, y of equal law.
struct Sum {
  double kept, added;  ///< p = 1 + a c and q = a sqrt(1 - c^2), of p x + q y

  Sum(double size, double cosine) : kept(1 + size * cosine), added(size * std::sqrt(1 - cosine * cosine)) {}

  /// |p x + q y|^2 / |x|^2.
  double growth(const PairMoments& m) const {
    return std::fmax(kept * kept * m.xx + 2 * kept * added * m.xy + added * added * m.yy, 0.0) / m.xx;
  }
  double limit() const { return kept * kept + added * added; }
  /// N times the variance of log growth / 2 as N grows, by the linear term in the moments, whose covariances vanish for
  /// symmetric laws: ((kappa - 1) q^4/2 + p^2 q^2) / (p^2 + q^2)^2 with the fourth moment kappa.
  double variance(double fourth) const {
    const double p2 = kept * kept, q2 = added * added;
    return ((fourth - 1) * q2 * q2 / 2 + p2 * q2) / (limit() * limit());
  }
};

Outcomes outcomes(const Arguments& at, const Execution& execution) {
  const auto n = static_cast<std::uint64_t>(at.integer("N"));
  const Law signal_law = random::law_from_name(at.word("signal_law")),
            noise_law = random::law_from_name(at.word("law"));
  const Sum signal(at.real("alpha"), at.real("beta")), noise(at.real("gamma"), at.real("rho"));
  const auto vector = [&](const Law& law, const char* name) {
    return Noise{law, 1, execution.seed, random::stream_key(name)};
  };
  const Noise u = vector(signal_law, "signal"), u_hat = vector(signal_law, "the block's own signal"),
              eta = vector(noise_law, "noise of sums"), eta_hat = vector(noise_law, "the block's own noise");
  const ThreadShare share(execution, n);
  const double expected = std::sqrt(signal.limit() / noise.limit());
  const auto moments_of = [&](const Noise& x, const Noise& y, std::uint64_t sample) {
    return execution.on_cuda ? pair_moments_on_cuda(n, x, y, sample) : pair_moments(n, x, y, sample, share.inner);
  };
  const auto gain = [&](std::uint64_t sample) {
    const PairMoments s = moments_of(u, u_hat, sample), e = moments_of(eta, eta_hat, sample);
    return std::sqrt(signal.growth(s) / noise.growth(e));
  };
  // A sparse law may leave a short vector without noise at all: its ratio is not a number, and neither is the mean.
  statistics::Welford squares;
  std::uint64_t lost = 0, counted = 0;
  const auto moments = sampled_moments(share.outer(execution), gain, [&](double value) {
    squares.add((value / expected - 1) * (value / expected - 1));
    lost += value < 1 ? 1 : 0;
    ++counted;
  });
  const Outcome mean_square = mean_outcome(squares, statistics::LawClass::asymptotic());
  const double spread = std::sqrt(
      (signal.variance(random::fourth_moment(signal_law)) + noise.variance(random::fourth_moment(noise_law))) /
      at.real("N"));
  const double finite_spread = std::isfinite(spread) ? spread : std::numeric_limits<double>::quiet_NaN();
  const Outcome root{std::sqrt(mean_square.value),
                     {std::sqrt(std::fmax(mean_square.interval.lower, 0.0)), std::sqrt(mean_square.interval.upper)}};
  return {{"gain", mean_outcome(moments, statistics::LawClass::asymptotic())},
          {"spread", root},
          {"lost", share_outcome(lost, counted)},
          {"limit", Outcome::exact(expected)},
          {"spread_limit", Outcome::exact(finite_spread)}};
}

}  // namespace

namespace definitions {

Quantity sampled_residual_snr() {
  Quantity q;
  q.name = "sampled_residual_snr";
  q.title = "Gain in signal-to-noise ratio by a residual connection, of random vectors";
  q.formula =
      R"(\frac{\|u + \hat u\|/\|\eta + \hat\eta\|}{\|u\|/\|\eta\|},\quad \hat u = \alpha(\beta u + \sqrt{1-\beta^2}\,u'),\ )"
      R"(\hat\eta = \gamma(\rho\,\eta + \sqrt{1-\rho^2}\,\eta'),\quad u, u', \eta, \eta' \in \mathbb{R}^N)";
  q.source =
      "Revisiting Transformers with Insights from Image Filtering and Boosting, Definition 3.1 and Proposition 3.1; "
      "vectors with independent coordinates are ours. Sums streamed, each to a relative 2^-45 of its terms";
  q.version = 2;
  q.parameters = {
      Parameter::integer("N", 1000, 1, 1'000'000'000, "dimension; nothing of this size is stored"),
      law_parameter("signal_law", "gaussian", "law of the signals' coordinates"),
      law_parameter("law", "gaussian", "law of the noises' coordinates"),
      Parameter::real("alpha", 0.5, 0, 1, "size of the output's signal against the input's"),
      Parameter::real("beta", 0.5, -1, 1, "cosine between the two signals, in the limit"),
      Parameter::real("gamma", 0.25, 0, 1, "size of the output's noise against the input's"),
      Parameter::real("rho", 0, -0.99, 1, "cosine between the two noises, in the limit"),
  };
  q.results = {
      {"gain", "mean gain; none where a vector may vanish"},
      {"spread", "root of the mean square of gain/limit - 1"},
      {"lost", "share of vectors for which the connection loses", Role::estimate, shares()},
      {"limit", "sqrt((1 + 2 alpha beta + alpha^2)/(1 + 2 gamma rho + gamma^2)), where all dimensions go",
       Role::reference},
      {"spread_limit", "what the spread approaches, a constant over sqrt N; none without a fourth moment",
       Role::reference},
  };
  q.default_samples = 64;
  q.sample_unit = "samples";
  q.runs_on_cuda = true;
  q.evaluate = outcomes;
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
