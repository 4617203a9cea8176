// How far noise on the logits moves a softmax, on average.
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "kernels/quantity/law_parameter.hpp"
#include "kernels/quantity/perturbation_samples.hpp"
#include "kernels/quantity/quantity.hpp"
#include "kernels/quantity/sampled_mean.hpp"
#include "kernels/random/law_tails.hpp"

namespace attest::quantities {
namespace {

using random::Law;
using random::log_moment_generating;

/// lim sqrt(N) E|softmax(c + eta) - softmax(c)| for independent c_i of law `logits` times `scale`, noise times sigma:
/// sqrt(E e^{2c}) / E e^c * sqrt(Var e^eta) / E e^eta; NaN where a moment is infinite.
double limit_constant(const Law& logits, double scale, const Law& noise, double sigma) {
  const double log_c = log_moment_generating(logits, 2 * scale) / 2 - log_moment_generating(logits, scale);
  const double log_eta = log_moment_generating(noise, 2 * sigma) - 2 * log_moment_generating(noise, sigma);
  if (!std::isfinite(log_c) || !std::isfinite(log_eta)) return std::numeric_limits<double>::quiet_NaN();
  return std::exp(log_c) * std::sqrt(std::expm1(log_eta));
}

/// Two softmaxes are at most sqrt 2 apart; what is left of samples with controls is not bounded, and means of designed
/// points are compared with each other alone.
statistics::LawClass known(const Arguments& at) {
  return at.word("sampling") == "plain" ? bounded(at, 0, std::numbers::sqrt2) : statistics::LawClass::asymptotic();
}

Outcomes outcomes(const Arguments& given, const Execution& execution) {
  const PerturbationSetting at{static_cast<std::size_t>(given.integer("N")),
                               random::law_from_name(given.word("law")),
                               given.real("scale"),
                               given.real("lead"),
                               random::law_from_name(given.word("noise_law")),
                               given.real("sigma")};
  const double root = std::sqrt(given.real("N"));
  const double limit = at.lead == 0 ? limit_constant(at.logits, at.scale, at.noise, at.sigma) / root
                                    : std::numeric_limits<double>::quiet_NaN();
  return {{"mean", mean_perturbation(at, given.word("sampling"), known(given), execution)},
          {"printed", Outcome::exact(at.sigma * root)},
          {"half", Outcome::exact(at.sigma * root / 2)},
          {"limit", Outcome::exact(limit)}};
}

}  // namespace

namespace definitions {

Quantity softmax_perturbation() {
  Quantity q;
  q.name = "softmax_perturbation";
  q.version = 4;
  q.title = "Mean perturbation of a softmax under noise on its logits";
  q.formula = R"(\mathbb{E}\|\mathrm{softmax}(c + \eta) - \mathrm{softmax}(c)\|)";
  q.source =
      "Revisiting Transformers with Insights from Image Filtering and Boosting, Theorem 3.2 and Figure 2 (right)";
  q.parameters = {
      Parameter::integer("N", 100, 2, 1'000'000'000, "logits; nothing of this size is stored where none leads"),
      law_parameter("law", "gaussian", "law of the logits c, independent, mean 0 and variance 1"),
      Parameter::real("scale", 1, 0, 1e3, "factor of the logits"),
      Parameter::real(
          "lead", 0, 0, 100,
          "multiple of log N by which the first logit leads; samples are drawn on the processor where it does"),
      law_parameter("noise_law", "gaussian", "law of the noise eta, independent, mean 0 and variance 1"),
      Parameter::real("sigma", 1, 0, 1e3, "standard deviation of the noise"),
      sampling_parameter(
          {"controlled", "stratified", "quasi"},
          "plain; controlled: control variates with known means, for N of hundreds and more; stratified: "
          "Latin hypercubes, for logits that differ little; quasi: shifted Sobol points, each reflected four ways, for "
          "few logits"),
      interval_parameter(),
  };
  q.results = {
      {"mean", "mean norm of the change", Role::estimate, known},
      {"printed", "sigma sqrt(N), the bound of Theorem 3.2 with the Lipschitz constant 1 of Proposition 3.3",
       Role::reference},
      {"half", "sigma sqrt(N) / 2, the same with the true constant 1/2", Role::reference},
      {"limit",
       "the limit of large N, sqrt(E e^2c) / E e^c sqrt(Var e^eta) / E e^eta / sqrt(N); none where a logit "
       "leads or a moment is infinite",
       Role::reference},
  };
  q.default_samples = 400;
  q.runs_on_cuda = true;
  q.sample_unit = "samples";
  q.evaluate = outcomes;
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
