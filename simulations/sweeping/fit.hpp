// Laws fitted to a series of a sweep.
#pragma once

#include <string>
#include <vector>

#include "kernels/quantity/quantity.hpp"

namespace attest::sweeps {

/// A series: an outcome at each x, by increasing x.
struct Trace {
  std::vector<double> x;
  std::vector<quantities::Outcome> y;
};

/// A fitted law.
struct Fit {
  std::string law;  ///< "constant x^exponent" or "a/sqrt(x) + b"
  std::vector<std::pair<std::string, quantities::Outcome>> terms = {};
  std::size_t points = 0;       ///< how many it rests on
  double largest_residual = 0;  ///< of the power law in the logarithm, of the root law in y
  Trace curve = {};             ///< the law over the range of the points; outcomes exact
  std::string label = {};       ///< "x^-0.498 [-0.51, -0.49]"
};

/// The power law through the points with x > 0 and a positive interval. No fit for fewer than three of them.
std::vector<Fit> fit_power_law_of(const Trace& trace, const std::string& x_name);

/// a/sqrt(x) + b through the points with x > 0 and a finite interval. No fit for fewer than three of them.
std::vector<Fit> fit_root_law_of(const Trace& trace, const std::string& x_name);

}  // namespace attest::sweeps
