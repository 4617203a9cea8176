// How far noise on the logits moves a softmax, on average.
#include "kernels/streamed/softmax_perturbation.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/quantities/law_parameter.hpp"
#include "kernels/quantities/quantity.hpp"
#include "kernels/quantities/sampled_mean.hpp"
#include "kernels/random/laws.hpp"
#include "kernels/random/stream.hpp"

namespace attest::quantities {
namespace {

using random::Law;
using random::LawKind;

/// log E exp(s X) for a law of mean 0 and variance 1; infinite where there is none.
double log_moment_generating(const Law& law, double s) {
  switch (law.kind) {
    case LawKind::gaussian:
      return s * s / 2;
    case LawKind::rademacher:
      return std::abs(s) + std::log1p(std::exp(-2 * std::abs(s))) - std::log(2.0);
    case LawKind::uniform: {
      const double a = std::sqrt(3.0) * std::abs(s);
      return a == 0 ? 0 : a + std::log(-std::expm1(-2 * a) / (2 * a));
    }
    case LawKind::laplace:
      return s * s < 2 ? -std::log1p(-s * s / 2) : std::numeric_limits<double>::infinity();
    case LawKind::student_t:
      return s == 0 ? 0 : std::numeric_limits<double>::infinity();
    case LawKind::sparse_three_point:
      return std::log1p(law.parameter * (std::cosh(s / std::sqrt(law.parameter)) - 1));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// lim sqrt(N) E|softmax(c + eta) - softmax(c)| for independent c_i of law `logits` times `scale`, noise times sigma:
/// sqrt(E e^{2c}) / E e^c * sqrt(Var e^eta) / E e^eta; NaN where a moment is infinite.
double limit_constant(const Law& logits, double scale, const Law& noise, double sigma) {
  const double log_c = log_moment_generating(logits, 2 * scale) / 2 - log_moment_generating(logits, scale);
  const double log_eta = log_moment_generating(noise, 2 * sigma) - 2 * log_moment_generating(noise, sigma);
  if (!std::isfinite(log_c) || !std::isfinite(log_eta)) return std::numeric_limits<double>::quiet_NaN();
  return std::exp(log_c) * std::sqrt(std::expm1(log_eta));
}

struct Setting {
  std::size_t n;
  Law logits;
  double scale, lead;
  Law noise;
  double sigma;
};

/// One sample: logits and noise of its own. Where no logit leads nothing of size N is stored.
double perturbation(const Setting& at, std::uint64_t seed, std::uint64_t sample, unsigned threads) {
  const std::uint64_t own_seed = random::Stream(seed, random::claim_key("softmax_perturbation"), sample).bits(0);
  const streamed::Noise logits{at.logits, at.scale, own_seed, random::claim_key("logits")};
  const streamed::Noise noise{at.noise, at.sigma, own_seed, random::claim_key("noise")};
  double norm = 0;
  if (at.lead == 0) {
    streamed::SoftmaxPerturbation<double>(at.n, logits, threads).norms(noise, 0, {&norm, 1}, threads);
    return norm;
  }
  std::vector<double> c(at.n);
  random::Stream stream(own_seed, logits.claim, 0);
  random::fill(at.logits, stream, c);
  for (double& value : c) value *= at.scale;
  c.front() += at.lead * std::log(static_cast<double>(at.n));
  streamed::SoftmaxPerturbation<double>(c).norms(noise, 0, {&norm, 1}, threads);
  return norm;
}

std::vector<Outcome> outcomes(const Arguments& given, const Effort& effort) {
  const Setting at{static_cast<std::size_t>(given.integer("N")),
                   random::law_from_name(given.word("law")),
                   given.real("scale"),
                   given.real("lead"),
                   random::law_from_name(given.word("noise_law")),
                   given.real("sigma")};
  const double root = std::sqrt(given.real("N"));
  const ThreadShare share(effort, at.n);
  const auto moments = sampled_moments(
      share.outer(effort), [&](std::uint64_t sample) { return perturbation(at, effort.seed, sample, share.inner); });
  const double limit = at.lead == 0 ? limit_constant(at.logits, at.scale, at.noise, at.sigma) / root
                                    : std::numeric_limits<double>::quiet_NaN();
  return {mean_outcome(moments), Outcome::exact(at.sigma * root), Outcome::exact(at.sigma * root / 2),
          Outcome::exact(limit)};
}

}  // namespace

namespace definitions {

Quantity softmax_perturbation() {
  Quantity q;
  q.name = "softmax_perturbation";
  q.title = "Mean perturbation of a softmax under noise on its logits";
  q.formula = R"(\mathbb{E}\|\mathrm{softmax}(c + \eta) - \mathrm{softmax}(c)\|)";
  q.source =
      "Revisiting Transformers with Insights from Image Filtering and Boosting, Theorem 3.2 and Figure 2 (right)";
  q.parameters = {
      Parameter::integer("N", 100, 2, 1'000'000'000, "logits; nothing of this size is stored where none leads"),
      law_parameter("law", "gaussian", "law of the logits c, independent, mean 0 and variance 1"),
      Parameter::real("scale", 1, 0, 1e3, "factor of the logits"),
      Parameter::real("lead", 0, 0, 100, "multiple of log N by which the first logit leads"),
      law_parameter("noise_law", "gaussian", "law of the noise eta, independent, mean 0 and variance 1"),
      Parameter::real("sigma", 1, 0, 1e3, "standard deviation of the noise"),
  };
  q.results = {
      {"mean", "mean norm of the change"},
      {"printed", "sigma sqrt(N), the bound of Theorem 3.2 with the Lipschitz constant 1 of Proposition 3.3",
       Role::reference},
      {"half", "sigma sqrt(N) / 2, the same with the true constant 1/2", Role::reference},
      {"limit",
       "the limit of large N, sqrt(E e^2c) / E e^c sqrt(Var e^eta) / E e^eta / sqrt(N); none where a logit "
       "leads or a moment is infinite",
       Role::reference},
  };
  q.default_budget = 400;
  q.budget_unit = "samples";
  q.evaluate = outcomes;
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
