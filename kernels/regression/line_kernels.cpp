#include "kernels/regression/line_kernels.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "kernels/rigor/ball.hpp"

namespace attest::regression {
namespace {

using rigor::Ball;
using std::abs;
using std::cos;
using std::exp;
using std::sqrt;

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
T pi() {
  if constexpr (std::is_same_v<T, Ball>) {
    return Ball::pi();
  } else {
    return std::numbers::pi;
  }
}

template <class T>
T normal_density(const T& u, double variance) {
  return exp(-(u * u) / (2 * variance)) / sqrt(2 * pi<T>() * variance);
}

}  // namespace

template <class T>
T NormalMixtureKernel::value_at(const T& u) const {
  return (normal_density<T>(u - centre_, variance_) + normal_density<T>(u + centre_, variance_)) / 2;
}

template <class T>
T NormalMixtureKernel::self_convolution_at(const T& u) const {
  return (normal_density<T>(u - 2 * centre_, 2 * variance_) + 2 * normal_density<T>(u, 2 * variance_) +
          normal_density<T>(u + 2 * centre_, 2 * variance_)) /
         4;
}

template <class T>
T LogisticKernel::value_at(const T& u) const {
  const T decay = exp(-abs(u));
  return decay / ((1 + decay) * (1 + decay));
}

double LogisticKernel::self_convolution_at(double u) const {
  const double distance = std::abs(u);
  // Near 0 numerator and denominator of the quotient in h = u/2 vanish like h^3. There
  // h cosh h - sinh h = sum_{n>=1} 2n h^(2n+1)/(2n+1)!, of which eight terms leave less than 1e-18 for h < 1/2.
  if (distance < 1.0) {
    const double h = distance / 2;
    double term = 1.0 / 6;  // h^(2n-2)/(2n+1)!
    double sum = 0.0;
    for (int n = 1; n <= 8; ++n) {
      sum += 2 * n * term;
      term *= h * h / ((2.0 * n + 2) * (2.0 * n + 3));
    }
    const double ratio = h == 0.0 ? 1.0 : h / std::sinh(h);
    return sum * ratio * ratio * ratio / 2;
  }
  const double decay = std::exp(-distance);
  const double gap = 1 - decay;
  return decay * ((distance - 2) + (distance + 2) * decay) / (gap * gap * gap);
}

Ball LogisticKernel::self_convolution_at(const Ball& u) const {
  if (u.is_exact() && u.contains_zero()) return Ball::from_rational(1, 6);
  // A double u of size 2^-b loses 2b bits in the numerator: twice the working precision serves |u| > 2^-64.
  const rigor::PrecisionScope precision(2 * rigor::working_precision());
  const Ball h = u / 2;
  return (h * rigor::cosh(h) - rigor::sinh(h)) / (2 * rigor::pow(rigor::sinh(h), 3));
}

template <class T>
T LaplaceKernel::value_at(const T& u) const {
  return exp(-abs(u)) / 2;
}

template <class T>
T LaplaceKernel::self_convolution_at(const T& u) const {
  return (1 + abs(u)) * exp(-abs(u)) / 4;
}

template <class T>
T StudentKernel::value_at(const T& u) const {
  return 2 / (pi<T>() * (1 + u * u) * (1 + u * u));
}

template <class T>
T StudentKernel::self_convolution_at(const T& u) const {
  const T w = 4 + u * u;
  return 4 * (20 + u * u) / (pi<T>() * w * w * w);
}

template <class T>
T CauchyKernel::value_at(const T& u) const {
  return 1 / (pi<T>() * (1 + u * u));
}

template <class T>
T CauchyKernel::self_convolution_at(const T& u) const {
  return 2 / (pi<T>() * (4 + u * u));
}

template <class T>
T NormalMixtureKernel::characteristic_at(const T& s) const {
  return cos(centre_ * s) * exp(-variance_ * (s * s) / 2);
}

double LogisticKernel::characteristic_at(double s) const {
  const double argument = std::numbers::pi * std::abs(s);
  if (argument > 700) return 0.0;  // sinh overflows; the value is below 1e-300
  return argument == 0.0 ? 1.0 : argument / std::sinh(argument);
}

Ball LogisticKernel::characteristic_at(const Ball& s) const {
  if (s.is_exact() && s.contains_zero()) return 1;
  return Ball::pi() * s / rigor::sinh(Ball::pi() * s);
}

template <class T>
T LaplaceKernel::characteristic_at(const T& s) const {
  return 1 / (1 + s * s);
}

template <class T>
T StudentKernel::characteristic_at(const T& s) const {
  return (1 + abs(s)) * exp(-abs(s));
}

template <class T>
T CauchyKernel::characteristic_at(const T& s) const {
  return exp(-abs(s));
}

Ball NormalMixtureKernel::moment_generating(const Ball& c) const {
  return rigor::cosh(centre_ * c) * rigor::exp(variance_ * rigor::square(c) / 2);
}

Ball LogisticKernel::moment_generating(const Ball& c) const {
  if (c.is_exact() && c.contains_zero()) return 1;
  if (!rigor::certainly_less(rigor::abs(c), 1)) return infinity;
  return Ball::pi() * c / rigor::sin(Ball::pi() * c);
}

Ball LaplaceKernel::moment_generating(const Ball& c) const {
  return rigor::certainly_less(rigor::abs(c), 1) ? 1 / (1 - rigor::square(c)) : Ball(infinity);
}

// Algebraic tails: every exponential moment but that of c = 0 diverges.
Ball StudentKernel::moment_generating(const Ball& c) const {
  return c.is_exact() && c.contains_zero() ? 1.0 : infinity;
}

Ball CauchyKernel::moment_generating(const Ball& c) const { return c.is_exact() && c.contains_zero() ? 1.0 : infinity; }

Ball NormalMixtureKernel::even_moment(int k) const {
  const Ball c2 = Ball(centre_) * centre_;
  return k == 2 ? c2 + variance_ : c2 * c2 + 6 * c2 * variance_ + 3 * Ball(variance_) * variance_;
}

Ball LogisticKernel::even_moment(int k) const {
  return k == 2 ? rigor::pow(Ball::pi(), 2) / 3 : 7 * rigor::pow(Ball::pi(), 4) / 15;
}

Ball LaplaceKernel::even_moment(int k) const { return k == 2 ? 2 : 24; }

Ball StudentKernel::even_moment(int k) const { return k == 2 ? 1.0 : infinity; }

Ball CauchyKernel::even_moment(int) const { return infinity; }

template <class Formula>
std::span<const double> LineKernel<Formula>::knots(Form) const {
  // The Laplace kernel has a cusp at 0; the others lose nothing by a split at their centre.
  static constexpr std::array<double, 1> centre{0.0};
  return centre;
}

template <class Formula>
double LineKernel<Formula>::value(double u) const {
  return static_cast<const Formula&>(*this).value_at(u);
}

template <class Formula>
Ball LineKernel<Formula>::value(const Ball& u) const {
  return static_cast<const Formula&>(*this).value_at(u);
}

template <class Formula>
double LineKernel<Formula>::self_convolution(double u) const {
  return static_cast<const Formula&>(*this).self_convolution_at(u);
}

template <class Formula>
Ball LineKernel<Formula>::self_convolution(const Ball& u) const {
  return static_cast<const Formula&>(*this).self_convolution_at(u);
}

template <class Formula>
double LineKernel<Formula>::characteristic(double s) const {
  return static_cast<const Formula&>(*this).characteristic_at(s);
}

template <class Formula>
Ball LineKernel<Formula>::characteristic(const Ball& s) const {
  return static_cast<const Formula&>(*this).characteristic_at(s);
}

template class LineKernel<NormalMixtureKernel>;
template class LineKernel<LogisticKernel>;
template class LineKernel<LaplaceKernel>;
template class LineKernel<StudentKernel>;
template class LineKernel<CauchyKernel>;

}  // namespace attest::regression
