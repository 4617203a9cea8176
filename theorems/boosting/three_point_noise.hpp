// xi = |eta|^2 / N under three-point noise, where every expectation is a finite sum: Appendix A after Eq A.5.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "theorems/boosting/exact_perturbation.hpp"
#include "theorems/engine/inputs.hpp"

namespace attest::boosting {

/// The three-point law +-1/sqrt(p) with probability p/2 each, else 0, has variance 1 and kappa = 1/p: p = 1 is
/// Rademacher's, p = 5/9 has the kurtosis of the uniform, 1/3 of the Gaussian, 1/6 of the Laplace, 1/9 of Student's
/// t_5. Under it N p xi is the number of non-zero noises, binomial(N, p), so every expectation is a finite sum.
struct Sparse {
  std::int64_t n;
  double p;
};

inline Sparse sparse_of(const engine::Inputs& in) {
  return {static_cast<std::int64_t>(in.scalar("N")), in.scalar("p")};
}

/// Whether N is a whole number >= 1 and 0 < p <= 1.
inline bool admissible(const engine::Inputs& in) {
  const Sparse s = sparse_of(in);
  return s.n >= 1 && in.scalar("N") == static_cast<double>(s.n) && s.p > 0 && s.p <= 1;
}

/// E f(xi) as an enclosure.
template <typename F>
rigor::Ball exact_mean(const engine::Inputs& in, F f) {
  const Sparse s = sparse_of(in);
  const rigor::BallVector probabilities = binomial_probabilities(s.n, rigor::Ball(s.p));
  rigor::Ball mean = 0;
  for (std::int64_t k = 0; k <= s.n; ++k)
    mean += probabilities[static_cast<std::size_t>(k)] * f(rigor::Ball(k) / (rigor::Ball(s.n) * rigor::Ball(s.p)));
  return mean;
}

/// E f(xi) in double precision, the probabilities by logarithms of Gamma functions.
template <typename F>
double fast_mean(const engine::Inputs& in, F f) {
  const Sparse s = sparse_of(in);
  const auto n = static_cast<double>(s.n);
  double mean = 0;
  for (std::int64_t i = 0; i <= s.n; ++i) {
    const auto k = static_cast<double>(i);
    const double log_probability = std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                                   (i > 0 ? k * std::log(s.p) : 0) + (i < s.n ? (n - k) * std::log1p(-s.p) : 0);
    mean += std::exp(log_probability) * f(k / (n * s.p));
  }
  return mean;
}

/// Largest N searched.
inline constexpr double most_coordinates = 24;

/// The inputs N and p of a search point.
inline engine::Inputs decode_law(std::span<const double> x) { return {{"N", {std::floor(x[0])}}, {"p", {x[1]}}}; }

/// The assumptions of Appendix A, and where its statements are searched.
inline std::vector<std::string> unit_noise() {
  return {"eta_1, ..., eta_N independent and identically distributed", "E eta_i = 0, E eta_i^2 = 1, kappa = E eta_i^4",
          "searched over the three-point laws of kurtosis 1 to 50 and N up to 24"};
}

}  // namespace attest::boosting
