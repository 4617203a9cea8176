// The ratio laws of boosted residual networks, counted over grids of up to 10^15 points.
#include <algorithm>

#include "kernels/quantity/quantity.hpp"
#include "kernels/residual/grc_scan.hpp"

namespace attest::quantities {
namespace {

/// A share with those open by rounding as its interval.
Outcome share(std::uint64_t certain, std::uint64_t open, std::uint64_t points) {
  const auto all = static_cast<double>(points), low = static_cast<double>(certain) / all;
  return {low, {low, static_cast<double>(certain + open) / all}};
}

/// A factor with its rounding.
Outcome rounded(double factor, std::uint64_t layers) {
  const double error = residual::grc_rounding(layers);
  return {factor, {factor * (1 - error), factor * (1 + error)}};
}

Outcomes outcomes(const Arguments& at, const Execution& execution) {
  const auto axis = [&](const char* from, const char* to, const char* points) {
    return residual::GrcAxis{at.real(from), std::max(at.real(from), at.real(to)),
                             static_cast<std::uint64_t>(at.integer(points))};
  };
  const residual::GrcGrid grid{axis("L_from", "L_to", "L_points"), axis("t_from", "t_to", "t_points"),
                               static_cast<std::uint64_t>(at.integer("n")), at.real("C")};
  const residual::GrcScan scan =
      execution.on_cuda ? residual::scan_grc_on_cuda(grid) : residual::scan_grc(grid, execution.threads);
  Outcomes all = {{"printed_violations", share(scan.printed_violations, scan.printed_open, scan.points)},
                  {"sharp_violations", share(scan.sharp_violations, scan.sharp_open, scan.points)},
                  {"points", Outcome::exact(static_cast<double>(scan.points))}};
  const auto add = [&](const std::string& name, const residual::GrcExtreme& e) {
    all.emplace(name, rounded(e.factor, grid.layers));
    all.emplace(name + "_L", Outcome::exact(e.lipschitz));
    all.emplace(name + "_t", Outcome::exact(e.weight));
    all.emplace(name + "_n", Outcome::exact(static_cast<double>(e.layers)));
  };
  add("largest", scan.largest);
  add("least", scan.least);
  return all;
}

}  // namespace

namespace definitions {

Quantity grc_grid() {
  Quantity q;
  q.name = "grc_grid";
  q.title = "Where on a grid of (L, t, n) the ratio laws of boosted networks hold";
  q.formula = R"(K_{n+1} = (L+1-t) K_n + t,\ K_1 = L+1:\quad K_n \le C (L+1-t)^n,\quad K_n \le C \max(L+1-t, 1)^n)";
  q.source =
      "Revisiting Transformers with Insights from Image Filtering and Boosting, Theorem 4.1 and Eqs A.10-A.12. The "
      "recursion itself at every point; points within its rounding of C are the width of the shares";
  q.parameters = {
      Parameter::real("L_from", 0, 0, 1e6, "least Lipschitz constant of a layer"),
      Parameter::real("L_to", 2, 0, 1e6, "largest; the least alone where this one is below it"),
      Parameter::integer("L_points", 64, 1, 10'000'000, "Lipschitz constants"),
      Parameter::real("t_from", 0, 0, 1, "least weight of the first layer's output"),
      Parameter::real("t_to", 1, 0, 1, "largest; the least alone where this one is below it"),
      Parameter::integer("t_points", 64, 1, 10'000'000, "weights"),
      Parameter::integer("n", 100, 1, 1'000'000'000, "layers: every depth up to this one"),
      Parameter::real("C", 10, 1e-6, 1e300, "the constant that the laws may be off by"),
  };
  q.results = {
      {"printed_violations", "share of points above C times the printed law (1 - t/(L+1))^n for the ratio"},
      {"sharp_violations", "share of points above C times the sharp law (max(L+1-t, 1)/(L+1))^n"},
      {"largest", "the largest factor of the ratio over the sharp law"},
      {"largest_L", "L there"},
      {"largest_t", "t there"},
      {"largest_n", "n there"},
      {"least", "the least factor of the ratio over the sharp law"},
      {"least_L", "L there"},
      {"least_t", "t there"},
      {"least_n", "n there"},
      {"points", "points looked at", Role::reference},
  };
  q.runs_on_cuda = true;
  q.evaluate = outcomes;
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
