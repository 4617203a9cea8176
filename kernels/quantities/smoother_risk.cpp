// Bias, variance and mean square error of kernel regression on up to a thousand million observations.
#include <cmath>

#include "kernels/quantity/quantity.hpp"
#include "kernels/quantity/sampled_mean.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/regression/smoother.hpp"

namespace attest::quantities {
namespace {

using regression::SmoothedCurve;
using regression::Smoother;
using regression::SmootherRisk;
using regression::SmootherRisks;
using regression::SmoothingKernel;

SmoothingKernel kernel_of(const std::string& name) {
  if (name == "gaussian") return SmoothingKernel::gaussian;
  return name == "uniform" ? SmoothingKernel::uniform : SmoothingKernel::epanechnikov;
}

/// int u^2 K and int K^2.
struct Moments {
  double second, roughness;
};

Moments moments_of(SmoothingKernel kernel) {
  if (kernel == SmoothingKernel::gaussian) return {1, 0x1.20dd750429b6dp-2};
  return kernel == SmoothingKernel::uniform ? Moments{1.0 / 3, 0.5} : Moments{0.2, 0.6};
}

/// m'' and m'''' at x.
struct Derivatives {
  double second, fourth;
};

Derivatives derivatives_of(SmoothedCurve curve, double x) {
  if (curve == SmoothedCurve::exponential) return {std::exp(x), std::exp(x)};
  const double bump = std::exp(-x * x / 2), x2 = x * x;
  return {(x2 - 1) * bump, (x2 * x2 - 6 * x2 + 3) * bump};
}

/// The size of a signed value.
Outcome size_of(const Outcome& o) {
  const double lower = std::fabs(o.interval.lower), upper = std::fabs(o.interval.upper);
  const bool either_sign = o.interval.lower < 0 && o.interval.upper > 0;
  return {std::fabs(o.value), {either_sign ? 0 : std::fmin(lower, upper), std::fmax(lower, upper)}};
}

/// What is known of a random design's bias, variance and mean square error; nothing of those with negative weights.
struct KnownRisk {
  statistics::LawClass bias, variance, error;
};

/// A mean with weights of at least 0 lies between the least and the largest value of m on [-1, 1], and the sum of the
/// squares of such weights is at most 1.
KnownRisk known_of_means(const Arguments& at) {
  const bool bump = at.word("function") == "bump";
  const double x = at.real("x"), value = bump ? std::exp(-x * x / 2) : std::exp(x);
  const double lower = std::exp(bump ? -0.5 : -1) - value, upper = (bump ? 1 : std::exp(1)) - value;
  const double noise = at.real("sigma") * at.real("sigma"), largest = std::fmax(-lower, upper);
  return {bounded(at, lower, upper), noise > 0 ? bounded(at, 0, noise) : statistics::LawClass::variance_below(0),
          bounded(at, 0, largest * largest + noise)};
}

/// The class of one of them; none for a grid, where there is no more than one design.
KnownLaw known(statistics::LawClass KnownRisk::*which) {
  return [which](const Arguments& at) -> std::optional<statistics::LawClass> {
    if (at.word("design") == "grid") return std::nullopt;
    return known_of_means(at).*which;
  };
}

KnownLaw unknown() {
  return [](const Arguments& at) -> std::optional<statistics::LawClass> {
    if (at.word("design") == "grid") return std::nullopt;
    return statistics::LawClass::asymptotic();
  };
}

/// What one estimator's risks add up to over the samples.
struct Collected {
  statistics::Welford bias, variance, error;
  double bound = 0;

  void add(const SmootherRisk& risk, double noise) {
    bias.add(risk.bias);
    variance.add(noise * risk.variance);
    error.add(risk.bias * risk.bias + noise * risk.variance);
    bound = std::fmax(bound, risk.bias_bound);
  }
  /// Adds bias, variance and mean square error, each name after `prefix`. `exact`: of the one design there is.
  void report(const std::string& prefix, bool exact, const KnownRisk& known, Outcomes& all) const {
    if (exact) {
      const double b = bias.mean();
      const Outcome size = size_of({b, {b - bound, b + bound}});
      const double off = bound * (2 * std::fabs(b) + bound);
      all[prefix + "bias"] = size;
      all[prefix + "variance"] = Outcome::exact(variance.mean());
      all[prefix + "mse"] = {error.mean(), {std::fmax(error.mean() - off, 0.0), error.mean() + off}};
      return;
    }
    all[prefix + "bias"] = size_of(mean_outcome(bias, known.bias));
    all[prefix + "variance"] = mean_outcome(variance, known.variance);
    all[prefix + "mse"] = mean_outcome(error, known.error);
  }
};

Outcomes outcomes(const Arguments& at, const Execution& execution) {
  Smoother smoother{kernel_of(at.word("kernel")),
                    at.word("function") == "bump" ? SmoothedCurve::bump : SmoothedCurve::exponential,
                    at.word("design") == "grid" ? regression::Observations::grid : regression::Observations::random,
                    static_cast<std::uint64_t>(at.integer("n")),
                    at.real("x"),
                    at.real("h"),
                    {execution.seed, random::stream_key("smoother_risk"), 0}};
  const double noise = at.real("sigma") * at.real("sigma");
  // A grid is the same for every sample; random designs follow each other, each on all threads.
  const bool grid = smoother.observations == regression::Observations::grid;
  const std::uint64_t samples = grid ? 1 : execution.samples;
  Collected plain, twiced;
  for (std::uint64_t sample = 0; sample < samples; ++sample) {
    smoother.stream.sample = sample;
    const SmootherRisks risks =
        execution.on_cuda ? smoother_risks_on_cuda(smoother) : smoother_risks(smoother, execution.threads);
    plain.add(risks.plain, noise);
    twiced.add(risks.twiced, noise);
  }
  Outcomes all;
  plain.report("", grid, known_of_means(at), all);
  twiced.report("twiced_", grid, {}, all);
  const Moments k = moments_of(smoother.kernel);
  const Derivatives m = derivatives_of(smoother.curve, smoother.x);
  const double h2 = smoother.h * smoother.h;
  all["bias_limit"] = Outcome::exact(std::fabs(h2 / 2 * k.second * m.second));
  all["twiced_bias_limit"] = Outcome::exact(std::fabs(h2 * h2 / 4 * k.second * k.second * m.fourth));
  all["variance_limit"] = Outcome::exact(noise * k.roughness / (at.real("n") / 2 * smoother.h));
  return all;
}

}  // namespace

namespace definitions {

Quantity smoother_risk() {
  Quantity q;
  q.name = "smoother_risk";
  q.title = "Bias, variance and error of the Nadaraya-Watson estimator on n observations, plain and twiced";
  q.formula =
      R"(\frac{\sum_i L((x-X_i)/h)\,(m(X_i) + \sigma\varepsilon_i)}{\sum_i L((x-X_i)/h)} - m(x),\quad L = K,\ 2K - K*K)";
  q.source =
      "Transformer Meets Twicing, Proposition 2. The mean over the noise is taken exactly, so its law does not matter; "
      "compact kernels are exact, the gaussian is cut off where all that is left out is below 2^-53 of one weight";
  q.version = 2;
  q.parameters = {
      Parameter::integer("n", 10'000, 1, 1'000'000'000, "observations in [-1, 1]; none is stored"),
      Parameter::real("h", 0.1, 1e-6, 2, "bandwidth"),
      Parameter::word("kernel", "gaussian", {"gaussian", "epanechnikov", "uniform"}, "the smoothing kernel K"),
      Parameter::word("function", "bump", {"bump", "exponential"}, "the regression function m: exp(-x^2/2) or exp x"),
      Parameter::word("design", "random", {"random", "grid"},
                      "observations independent and uniform, or equally spaced"),
      Parameter::real("x", 0, -1, 1, "where the estimator is taken"),
      Parameter::real("sigma", 1, 0, 1e3, "standard deviation of the noise"),
      interval_parameter(),
  };
  q.results = {
      {"bias", "size of the mean bias with K; none where no weight is left", Role::estimate, known(&KnownRisk::bias)},
      {"variance", "mean variance with K, given the design", Role::estimate, known(&KnownRisk::variance)},
      {"mse", "mean square error with K", Role::estimate, known(&KnownRisk::error)},
      {"twiced_bias", "size of the mean bias with 2K - K*K", Role::estimate, unknown()},
      {"twiced_variance", "mean variance with 2K - K*K, given the design", Role::estimate, unknown()},
      {"twiced_mse", "mean square error with 2K - K*K", Role::estimate, unknown()},
      {"bias_limit", "h^2 mu_2 |m''|/2, in the interior", Role::reference},
      {"twiced_bias_limit", "h^4 mu_2^2 |m''''|/4, in the interior", Role::reference},
      {"variance_limit", "2 sigma^2 R(K)/(n h), in the interior", Role::reference},
  };
  q.default_samples = 32;
  q.sample_unit = "designs";
  q.runs_on_cuda = true;
  q.evaluate = outcomes;
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
