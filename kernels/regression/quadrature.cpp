#include "kernels/regression/quadrature.hpp"

#include <algorithm>
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

Panel gauss_kronrod(const std::function<double(double)>& f, double a, double b, unsigned depth, double tolerance) {
  Panel panel;
  panel.value = boost::math::quadrature::gauss_kronrod<double, 31>::integrate(f, a, b, depth, tolerance, &panel.error,
                                                                              &panel.size);
  return panel;
}

}  // namespace

Integral integrate(const std::function<double(double)>& f, std::span<const double> splits) {
  if (splits.size() < 2 || !std::is_sorted(splits.begin(), splits.end())) {
    throw std::invalid_argument("integrate: splits must hold at least two points in increasing order");
  }
  std::vector<Panel> panels(splits.size() - 1);
  double size = 0.0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    if (splits[i] < splits[i + 1]) panels[i] = gauss_kronrod(f, splits[i], splits[i + 1], 0, 0.0);
    size += panels[i].size;
  }
  Integral total;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    // The tolerance is relative to the whole integral: a tail that cannot be seen in the sum is not refined.
    constexpr unsigned max_depth = 12;
    if (panels[i].error > 4 * unit * size) {
      panels[i] = gauss_kronrod(f, splits[i], splits[i + 1], max_depth, 4 * unit * size / panels[i].size);
    }
    total.value += panels[i].value;
    total.error += panels[i].error + unit * panels[i].size;
  }
  return total;
}

}  // namespace attest::regression
