// Laws under which intervals are asked to keep their promises, from tame to badly skewed.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <boost/math/distributions/binomial.hpp>

#include "kernels/random/stream.hpp"
#include "kernels/statistics/law_class.hpp"

namespace attest::tests {

/// A law with all that a class may ask for.
struct NullLaw {
  std::string name;
  std::function<double(random::Stream&)> draw;
  double mean, variance, kurtosis;
  std::optional<statistics::Range> range = {};
  bool symmetric = false;

  /// The classes of statistics::anytime_mean_interval that it belongs to.
  std::vector<statistics::LawClass> classes() const {
    std::vector<statistics::LawClass> all;
    if (range) all.push_back(statistics::LawClass::in_range(range->lower, range->upper));
    all.push_back(statistics::LawClass::variance_below(variance));
    all.push_back(statistics::LawClass::kurtosis_below(kurtosis));
    return all;
  }
};

inline NullLaw bernoulli(double p, const std::string& name) {
  return {name,
          [p](random::Stream& s) { return s.uniform() < p ? 1.0 : 0.0; },
          p,
          p * (1 - p),
          (1 - 3 * p * (1 - p)) / (p * (1 - p)),
          statistics::Range{0, 1}};
}

inline std::vector<NullLaw> null_laws() {
  const double e = std::exp(1.0);
  return {
      {"Rademacher", [](random::Stream& s) { return s.uniform() < 0.5 ? -1.0 : 1.0; }, 0, 1, 1,
       statistics::Range{-1, 1}, true},
      {"exponential", [](random::Stream& s) { return -std::log1p(-s.uniform()); }, 1, 1, 9},
      {"chi-square",
       [](random::Stream& s) {
         const double z = s.normal();
         return z * z;
       },
       1, 2, 15},
      {"lognormal", [](random::Stream& s) { return std::exp(s.normal()); }, std::sqrt(e), (e - 1) * e,
       std::pow(e, 4) + 2 * std::pow(e, 3) + 3 * e * e - 3},
      bernoulli(0.1, "Bernoulli .1"),
      bernoulli(0.01, "Bernoulli .01"),
  };
}

/// The count that Binomial(runs, level) exceeds with probability 1e-9 at most: a promise of `level` that is kept is
/// never called broken by chance, and one that is missed by much always is.
inline int most_misses(int runs, double level) {
  const boost::math::binomial law(runs, level);
  return static_cast<int>(boost::math::quantile(boost::math::complement(law, 1e-9)));
}

}  // namespace attest::tests
