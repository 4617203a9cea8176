#include "kernels/random/wishart.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/elementary/exponential.hpp"
#include "kernels/elementary/logarithm.hpp"

namespace attest::random {
namespace {

double log_of(double x) { return elementary::logarithm_steps<double>(x); }

/// Gamma(shape, 1) for shape >= 1.
double gamma_above_one(Stream& stream, double shape) {
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = stream.normal(), u = stream.uniform();
    const double root = 1 + c * x;
    if (!(root > 0)) continue;
    const double v = root * root * root;
    if (log_of(u) < 0.5 * x * x + d * (1 - v + log_of(v))) return d * v;
  }
}

}  // namespace

double chi_square(Stream& stream, double nu) {
  if (!(nu > 0 && std::isfinite(nu)))
    throw std::invalid_argument(fmt::format("chi_square: {} degrees of freedom; give a positive number", nu));
  if (nu >= 2) return 2 * gamma_above_one(stream, nu / 2);
  // Gamma(a) = Gamma(a + 1) U^(1/a).
  const double boosted = gamma_above_one(stream, nu / 2 + 1);
  const double exponent = log_of(stream.uniform()) * 2 / nu;
  return 2 * boosted * elementary::exponential(exponent);
}

std::vector<double> wishart(Stream& stream, int d, double n) {
  if (d < 1 || !(n > d - 1) || !std::isfinite(n))
    throw std::invalid_argument(
        fmt::format("wishart: {} degrees of freedom for d = {}; give d >= 1 and more than d - 1", n, d));
  const auto size = static_cast<std::size_t>(d);
  std::vector<double> a(size * size, 0.0), w(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) a[i * size + j] = stream.normal();
    a[i * size + i] = std::sqrt(chi_square(stream, n - static_cast<double>(i)));
  }
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k <= j; ++k) sum = std::fma(a[i * size + k], a[j * size + k], sum);
      w[i * size + j] = w[j * size + i] = sum;
    }
  return w;
}

}  // namespace attest::random
