// How much smaller the Lipschitz bound of a network becomes when its residual connections are boosted.
#include <cmath>
#include <limits>

#include "kernels/quantity/quantity.hpp"

namespace attest::quantities {
namespace {

/// log K_n for K_1 = L + 1, K_{l+1} = (L + 1 - t) K_l + t, by the closed form a^m (L + 1) + t (a^m - 1)/(a - 1) with
/// a = L + 1 - t and m = n - 1; a power of a is never formed where it would overflow.
double log_boosted_bound(double lipschitz, double t, double n) {
  const double excess = lipschitz - t;  // a - 1
  const double m = n - 1;
  if (excess == 0) return std::log(lipschitz + 1 + t * m);
  const double log_power = excess <= -1 ? -std::numeric_limits<double>::infinity() : std::log1p(excess);
  if (excess > 0) return m * log_power + std::log(lipschitz + 1 - t * std::expm1(-m * log_power) / excess);
  if (m == 0) return std::log1p(lipschitz);
  return std::log((lipschitz + 1) * std::exp(m * log_power) + t * std::expm1(m * log_power) / excess);
}

Outcomes outcomes(double lipschitz, double t, double n) {
  const double log_plain = n * std::log1p(lipschitz);
  const double log_ratio = log_boosted_bound(lipschitz, t, n) - log_plain;
  const double printed = 1 - t / (lipschitz + 1);
  const double sharp = std::fmax(lipschitz + 1 - t, 1) / (lipschitz + 1);
  const double per_layer = std::exp(log_ratio / n);
  // log 0 = -infinity is right where the law predicts a bound of 0 (L = 0, t = 1); a factor of infinity is not a number
  // to draw.
  const double log_factor =
      printed > 0 ? (log_ratio - n * std::log(printed)) / std::log(10.0) : std::numeric_limits<double>::quiet_NaN();
  return {{"per_layer", Outcome::exact(per_layer)},
          {"log10_ratio", Outcome::exact(log_ratio / std::log(10.0))},
          {"log10_factor", Outcome::exact(log_factor)},
          {"printed", Outcome::exact(printed)},
          {"sharp", Outcome::exact(sharp)}};
}

}  // namespace

namespace definitions {

Quantity grc_ratio() {
  Quantity q;
  q.name = "grc_ratio";
  q.title = "Lipschitz bound of a boosted network against that of a residual one";
  q.formula = R"(K_n^{GRC} / K_n^{RC},\quad K_{l+1} = (L + 1 - t) K_l + t,\quad K_n^{RC} = (L + 1)^n)";
  q.source = "Revisiting Transformers with Insights from Image Filtering and Boosting, Theorem 4.1 and Eqs A.10-A.12";
  q.parameters = {
      Parameter::real("L", 1, 0, 1e6, "Lipschitz constant of every layer"),
      Parameter::real("t", 0.5, 0, 1, "weight of the first layer's output in every residual connection"),
      Parameter::integer("n", 12, 1, 1'000'000'000'000, "layers"),
  };
  q.results = {
      {"per_layer", "n-th root of the ratio"},
      {"log10_ratio", "decimal logarithm of the ratio"},
      {"log10_factor",
       "decimal logarithm of the ratio over the printed (1 - t/(L+1))^n; the law holds where it stays "
       "bounded as n grows"},
      {"printed", "1 - t/(L+1), the printed law's factor per layer", Role::reference},
      {"sharp", "max(L+1-t, 1)/(L+1), the true limit of the factor per layer", Role::reference},
  };
  q.evaluate = [](const Arguments& at, const Execution&) { return outcomes(at.real("L"), at.real("t"), at.real("n")); };
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
