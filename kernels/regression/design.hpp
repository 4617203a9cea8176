// Design densities: where the observations of a regression lie.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace attest::regression {

/// A design density f on the interval [lower, upper] (which may be infinite).
///
/// `density(x, k)` is f^(k)(x) for k = 0..4 inside the interval, and 0 outside; `quantile(p)` is the inverse
/// distribution function on 0 < p < 1 (empty for the improper uniform design on the whole line).
/// A fixed design of n points is `fixed_grid`; a random one is `quantile` of n uniform variates (`random_points`).
struct Design {
  std::string name;
  double lower;
  double upper;
  std::function<double(double x, int k)> density;
  std::function<double(double p)> quantile;

  double operator()(double x) const { return density(x, 0); }
};

/// f = 1 on the whole line, not normalised: the design of the textbook expansions, without edges or slope.
Design uniform_line();

/// f = 1/(b - a) on [a, b], a < b (std::invalid_argument).
Design uniform_interval(double a, double b);

/// Normal density with the given mean and standard deviation s > 0 (std::invalid_argument).
Design normal_design(double mean, double s);

/// Beta density x^(a-1) (1-x)^(b-1) / B(a, b) on [0, 1] for integers a, b >= 1 with a + b <= 12, beyond which its
/// coefficients alternate too strongly to be summed in double (std::invalid_argument).
Design beta_design(int a, int b);

/// f(x) = exp(a x) on the whole line, not normalised: f'/f = a everywhere, the simplest design with a slope.
Design exponential_line(double a);

/// The n points quantile((i + 1/2)/n), increasing: a fixed design with the density of `design`.
/// Errors: std::invalid_argument for n < 1 or a design without quantile function.
std::vector<double> fixed_grid(const Design& design, std::int64_t n);

/// quantile(u_i) sorted increasingly: a random design from independent uniform variates 0 < u_i < 1.
/// Errors: std::invalid_argument for a design without quantile function.
std::vector<double> random_points(const Design& design, std::span<const double> uniforms);

}  // namespace attest::regression
