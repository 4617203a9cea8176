#include "kernels/regression/polynomial_kernel.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include <boost/math/quadrature/gauss.hpp>
#include <fmt/format.h>

namespace attest::regression {
namespace {

using rigor::Ball;

/// Beyond this argument the power series of a transform is not attempted.
constexpr double largest_argument = 1000;

using Polynomial = std::vector<Ball>;  // lowest power first

/// p(x + a) in powers of x.
Polynomial shifted(Polynomial p, const Ball& a) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = p.size() - 1; j-- > i;) p[j] += a * p[j + 1];
  }
  return p;
}

/// p(b x) in powers of x.
Polynomial stretched(Polynomial p, const Ball& b) {
  Ball power = 1;
  for (Ball& c : p) {
    c *= power;
    power *= b;
  }
  return p;
}

/// p + sign q.
Polynomial sum(Polynomial p, const Polynomial& q, int sign) {
  if (p.size() < q.size()) p.resize(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) p[i] += sign * q[i];
  return p;
}

/// The coefficients c of sum_knots sum_k c_k (u - knot)_+^k for the knots -1, 0, 1: at each knot of the kernel p(|u|),
/// the jump of its Taylor polynomial.
std::array<Polynomial, 3> truncated_powers(const Polynomial& p) {
  const Polynomial mirrored = stretched(p, -1);
  return {shifted(mirrored, -1), sum(p, mirrored, -1), sum({}, shifted(p, 1), -1)};
}

/// (u - a)_+^j * (u - b)_+^k = j! k!/(j + k + 1)! (u - a - b)_+^(j + k + 1), term by term; by knot -2..2.
std::array<Polynomial, 5> self_convolved(const std::array<Polynomial, 3>& kernel) {
  const std::size_t size = kernel[0].size();
  Polynomial factorial(2 * size, 1);
  for (std::size_t i = 1; i < factorial.size(); ++i) factorial[i] = factorial[i - 1] * i;
  std::array<Polynomial, 5> result;
  result.fill(Polynomial(2 * size));
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t k = 0; k < size; ++k) {
          result[a + b][j + k + 1] += kernel[a][j] * kernel[b][k] * factorial[j] * factorial[k] / factorial[j + k + 1];
        }
      }
    }
  }
  return result;
}

/// int u^k p(|u|) du over [-1, 1] for even k.
Ball moment_of(const Polynomial& p, std::size_t k) {
  Ball total = 0;
  for (std::size_t i = 0; i < p.size(); ++i) total += 2 * p[i] / (i + k + 1);
  return total;
}

Polynomial product(const Polynomial& p, const Polynomial& q) {
  Polynomial result(p.size() + q.size() - 1);
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < q.size(); ++j) result[i + j] += p[i] * q[j];
  }
  return result;
}

/// int of p over [-1, 1].
Ball integral(const Polynomial& p) {
  Ball total = 0;
  for (std::size_t i = 0; i < p.size(); i += 2) total += 2 * p[i] / (i + 1);
  return total;
}

template <class T>
T horner(const std::vector<T>& c, const T& x) {
  T total = 0;
  for (std::size_t i = c.size(); i-- > 0;) total = total * x + c[i];
  return total;
}

}  // namespace

PolynomialKernel::PolynomialKernel(std::string_view name, std::initializer_list<int> coefficients, int numerator,
                                   int denominator)
    : name_(name), scale_(static_cast<double>(numerator) / denominator) {
  const rigor::PrecisionScope precision(512);
  for (const int c : coefficients) {
    coefficients_.push_back(c);
    polynomial_.push_back(c * Ball::from_rational(numerator, denominator));
  }
  if (!moment_of(polynomial_, 0).contains(1.0)) {
    throw std::invalid_argument(
        fmt::format("PolynomialKernel {}: the integral is not 1; fix the factor {}/{}", name, numerator, denominator));
  }
  const auto by_knot = self_convolved(truncated_powers(polynomial_));
  // Left of 0 only the knots at or left of u act; K*K is even, so the pieces serve |u| after u -> -u.
  const Polynomial outer = shifted(by_knot[0], 0.5);                                    // about -3/2
  const Polynomial inner = sum(shifted(by_knot[0], 1.5), shifted(by_knot[1], 0.5), 1);  // about -1/2
  convolution_ = {stretched(inner, -0.5), stretched(outer, -0.5)};
  for (std::size_t piece = 0; piece < 2; ++piece) {
    for (const Ball& c : convolution_[piece]) convolution_coefficients_[piece].push_back(c.mid());
  }
}

double PolynomialKernel::value(double u) const {
  const double distance = std::abs(u);
  return distance > 1.0 ? 0.0 : scale_ * horner(coefficients_, distance);
}

Ball PolynomialKernel::value(const Ball& u) const {
  const Ball distance = rigor::abs(u);
  if (rigor::certainly_less(1, distance)) return 0;
  const Ball inside = horner(polynomial_, rigor::min(distance, 1));
  return rigor::certainly_less_equal(distance, 1) ? inside : Ball::hull(inside, 0);
}

double PolynomialKernel::self_convolution(double u) const {
  const double distance = std::abs(u);
  if (distance > 2.0) return 0.0;
  const bool far = distance > 1.0;
  return horner(convolution_coefficients_[far ? 1 : 0], 2 * (distance - (far ? 1.5 : 0.5)));
}

Ball PolynomialKernel::self_convolution(const Ball& u) const {
  const Ball distance = rigor::min(rigor::abs(u), 2);  // K*K is continuous and 0 at 2 and beyond
  if (rigor::certainly_less_equal(1, distance)) return horner(convolution_[1], 2 * distance - 3);
  Ball near = horner(convolution_[0], 2 * rigor::min(distance, 1) - 1);
  if (rigor::certainly_less_equal(distance, 1)) return near;
  return Ball::hull(near, horner(convolution_[1], 2 * rigor::max(distance, 1) - 3));
}

double PolynomialKernel::characteristic(double s) const {
  // The closed form (parts, degree times) cancels s^-10 terms near s = 0. The integrand is entire: Gauss-Legendre with
  // 15 points on panels over which the phase advances by at most 2 is exact to rounding for every s and costs one line.
  const auto panels = static_cast<int>(std::ceil(1.0 + std::abs(s) / 2));
  double total = 0.0;
  for (int i = 0; i < panels; ++i) {
    total += boost::math::quadrature::gauss<double, 15>::integrate(
        [&](double u) { return horner(coefficients_, u) * std::cos(s * u); }, static_cast<double>(i) / panels,
        static_cast<double>(i + 1) / panels);
  }
  return 2 * scale_ * total;
}

Ball PolynomialKernel::transform(const Ball& s, int sign) const {
  // Terms of size up to e^|s| cancel to O(1) when the sign alternates: carry that many bits more.
  const double size = rigor::abs(s).upper();
  if (!(size < largest_argument)) return std::numeric_limits<double>::infinity();
  const rigor::PrecisionScope precision(rigor::working_precision() + static_cast<std::int64_t>(2 * size) + 16);
  const Ball squared = rigor::square(s);
  Ball term = 1;  // s^2k/(2k)!
  Ball total = 0;
  // mu_2k <= 1 on [-1, 1], and past k = 1 + |s| each term is less than a quarter of the one before.
  for (int k = 0;
       k < 2 + static_cast<int>(size) || term.upper() > std::ldexp(1.0, -static_cast<int>(rigor::working_precision()));
       ++k) {
    total += (sign < 0 && k % 2 == 1 ? -1 : 1) * term * moment_of(polynomial_, 2 * static_cast<std::size_t>(k));
    term = term * squared / ((2 * k + 1) * (2 * k + 2));
  }
  const Ball tail = 2 * rigor::abs(term);
  return total + Ball::hull(-tail, tail);
}

Ball PolynomialKernel::characteristic(const Ball& s) const { return transform(s, -1); }

Ball PolynomialKernel::moment_generating(const Ball& c) const { return transform(c, 1); }

Ball PolynomialKernel::self_convolution_moment(int k) const {
  // On each piece u = (x + a)/2 with x in [-1, 1] and a = 1, 3: int u^k p(x) dx/2 over both pieces, twice for both
  // signs.
  Ball total = 0;
  for (std::size_t piece = 0; piece < 2; ++piece) {
    Polynomial integrand = convolution_[piece];
    for (int power = 0; power < k; ++power) {
      integrand = product(integrand, {Ball::from_rational(piece == 0 ? 1 : 3, 2), Ball(0.5)});
    }
    total += integral(integrand);
  }
  return total;
}

Ball PolynomialKernel::twicing_roughness_ball() const {
  const Polynomial kernel = stretched(shifted(polynomial_, 0.5), 0.5);  // K on [0, 1] in powers of 2(|u| - 1/2)
  Polynomial inner;
  for (const Ball& c : kernel) inner.push_back(2 * c);
  inner = sum(inner, convolution_[0], -1);
  return integral(product(inner, inner)) + integral(product(convolution_[1], convolution_[1]));
}

Ball PolynomialKernel::even_moment(int k) const { return moment_of(polynomial_, static_cast<std::size_t>(k)); }

std::span<const double> PolynomialKernel::knots(Form form) const {
  static constexpr std::array<double, 3> all{0.0, 1.0, 2.0};
  return std::span(all).first(form == Form::plain ? 2 : 3);
}

}  // namespace attest::regression
