#include "kernels/regression/regression_function.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace attest::regression {

RegressionFunction polynomial(std::vector<double> coefficients) {
  if (coefficients.empty()) throw std::invalid_argument("polynomial: coefficients is empty; give at least c_0");
  std::string name = "polynomial(";
  for (std::size_t i = 0; i < coefficients.size(); ++i) name += fmt::format("{}{}", i == 0 ? "" : ",", coefficients[i]);
  const auto derivative = [c = std::move(coefficients)](double x, int k) {
    double sum = 0.0;
    for (auto power = static_cast<int>(c.size()) - 1; power >= k; --power) {
      double falling = 1.0;
      for (int j = 0; j < k; ++j) falling *= power - j;
      sum = sum * x + falling * c[static_cast<std::size_t>(power)];
    }
    return sum;
  };
  return {name + ")", derivative, 4, {}};
}

RegressionFunction sine(double omega, double phase) {
  return {fmt::format("sine({},{})", omega, phase),
          [=](double x, int k) { return std::pow(omega, k) * std::sin(omega * x + phase + k * std::numbers::pi / 2); },
          4,
          {}};
}

RegressionFunction exponential(double a) {
  return {fmt::format("exponential({})", a), [=](double x, int k) { return std::pow(a, k) * std::exp(a * x); }, 4, {}};
}

RegressionFunction bump(double s) {
  if (!(s > 0.0)) throw std::invalid_argument(fmt::format("bump: width s = {} must be positive", s));
  const auto derivative = [s](double x, int k) {
    // m^(k) = (-1)^k He_k(z) m / s^k with z = x/s and He the probabilists' Hermite polynomials.
    const double z = x / s;
    double previous = 0.0;
    double hermite = 1.0;
    for (int j = 0; j < k; ++j) previous = std::exchange(hermite, z * hermite - j * previous);
    return std::pow(-1.0 / s, k) * hermite * std::exp(-z * z / 2);
  };
  return {fmt::format("bump({})", s), derivative, 4, {}};
}

RegressionFunction kink(double c, int p) {
  if (p != 0 && p != 1) throw std::invalid_argument(fmt::format("kink: p = {} must be 0 or 1", p));
  const int power = 2 * p + 1;
  const auto derivative = [=](double x, int k) {
    if (k > power) return 0.0;
    double falling = 1.0;
    for (int j = 0; j < k; ++j) falling *= power - j;
    const double side = x < c && k % 2 == 1 ? -1.0 : 1.0;
    return side * falling * std::pow(std::abs(x - c), power - k);
  };
  return {fmt::format("kink({},{})", c, p), derivative, 2 * p, {c}};
}

}  // namespace attest::regression
