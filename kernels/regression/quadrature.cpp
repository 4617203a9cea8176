#include "kernels/regression/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include <boost/math/quadrature/gauss_kronrod.hpp>

namespace attest::regression {
namespace {

constexpr double unit = std::numeric_limits<double>::epsilon();

struct Panel {
  double value = 0.0;
  double error = 0.0;
  double size = 0.0;  // int |f|
};

Panel gauss_kronrod(const std::function<double(double)>& f, double a, double b) {
  Panel panel;
  panel.value =
      boost::math::quadrature::gauss_kronrod<double, 31>::integrate(f, a, b, 0, 0.0, &panel.error, &panel.size);
  return panel;
}

/// A function on a finite interval with the first estimate of its integral.
struct Stretch {
  std::function<double(double)> f;
  double a;
  double b;
  Panel panel;
};

/// int_from^(+-infinity) f(u) du as the integral of a function on [0, 1]: u = from +- t/(1 - t).
std::function<double(double)> folded(const std::function<double(double)>& f, double from, double sign) {
  return [&f, from, sign](double t) {
    const double value = f(from + sign * t / (1 - t));
    return value == 0.0 ? 0.0 : value / ((1 - t) * (1 - t));
  };
}

/// `panel` over [a, b], halved until its error is below 4 roundings of `size`, the whole integral of |f|. The library's
/// own recursion measures the error against the value of the panel, which is 0 to rounding where positive and negative
/// parts cancel: it would never stop.
Panel refined(const std::function<double(double)>& f, double a, double b, const Panel& panel, double size, int depth) {
  if (!(panel.error > 4 * unit * size) || depth == 0) return panel;
  const double middle = a + (b - a) / 2;
  Panel left = gauss_kronrod(f, a, middle);
  Panel right = gauss_kronrod(f, middle, b);
  // Where an error below `noise` times the integral does not shrink by halving, it is the rounding error of f itself,
  // which no number of points removes; larger errors are those of a rule that does not yet resolve f.
  constexpr double noise = 1e-11;
  constexpr double least_gain = 0.75;
  if (panel.error > noise * size || left.error + right.error < least_gain * panel.error) {
    left = refined(f, a, middle, left, size, depth - 1);
    right = refined(f, middle, b, right, size, depth - 1);
  }
  return {left.value + right.value, left.error + right.error, left.size + right.size};
}

}  // namespace

Integral integrate(const std::function<double(double)>& f, std::span<const double> splits) {
  if (splits.size() < 2 || !std::is_sorted(splits.begin(), splits.end())) {
    throw std::invalid_argument("integrate: splits must hold at least two points in increasing order");
  }
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i + 1 < splits.size(); ++i) {
    const double a = splits[i];
    const double b = splits[i + 1];
    if (a == b) continue;
    if (std::isinf(a)) stretches.push_back({folded(f, std::isinf(b) ? 0.0 : b, -1), 0, 1, {}});
    if (std::isinf(b)) stretches.push_back({folded(f, std::isinf(a) ? 0.0 : a, 1), 0, 1, {}});
    if (!std::isinf(a) && !std::isinf(b)) stretches.push_back({f, a, b, {}});
  }
  double size = 0.0;
  for (Stretch& s : stretches) {
    s.panel = gauss_kronrod(s.f, s.a, s.b);
    size += s.panel.size;
  }
  Integral total;
  for (const Stretch& s : stretches) {
    // The tolerance is relative to the whole integral of |f|: a tail that cannot be seen in the sum is not refined.
    constexpr int max_depth = 12;
    const Panel panel = refined(s.f, s.a, s.b, s.panel, size, max_depth);
    total.value += panel.value;
    total.error += panel.error + unit * panel.size;
  }
  return total;
}

}  // namespace attest::regression
