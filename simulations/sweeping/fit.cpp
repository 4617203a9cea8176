#include "simulations/sweeping/fit.hpp"

#include <cmath>

#include <fmt/format.h>

#include "kernels/statistics/line_fit.hpp"
#include "kernels/statistics/regression.hpp"

namespace attest::sweeps {
namespace {

using quantities::Outcome;

constexpr std::size_t fewest_points = 3;  // two determine the law and leave nothing to see of its fit
constexpr int curve_points = 60;

template <class Law>
Trace curve_of(double from, double to, Law law) {
  Trace curve;
  for (int i = 0; i <= curve_points; ++i) {
    const double x = from * std::pow(to / from, static_cast<double>(i) / curve_points);
    curve.x.push_back(x);
    curve.y.push_back(Outcome::exact(law(x)));
  }
  return curve;
}

std::string with_interval(const Outcome& term) {
  return fmt::format("{:.4g} [{:.4g}, {:.4g}]", term.value, term.interval.lower, term.interval.upper);
}

}  // namespace

std::vector<Fit> fit_power_law_of(const Trace& trace, const std::string& x_name) {
  std::vector<statistics::RatePoint> points;
  for (std::size_t i = 0; i < trace.x.size(); ++i)
    if (trace.x[i] > 0 && trace.y[i].interval.lower > 0 && std::isfinite(trace.y[i].interval.upper))
      points.push_back({trace.x[i], trace.y[i].interval});
  if (points.size() < fewest_points) return {};
  const statistics::PowerLaw law = statistics::fit_power_law(points);
  Fit fit{.law = "constant x^exponent", .points = points.size(), .largest_residual = law.largest_residual};
  fit.terms = {{"exponent", {law.exponent, law.exponent_interval}},
               {"constant", {law.constant, law.constant_interval}}};
  fit.curve =
      curve_of(points.front().x, points.back().x, [&](double x) { return law.constant * std::pow(x, law.exponent); });
  fit.label = fmt::format("{}^{}", x_name, with_interval(fit.terms[0].second));
  return {fit};
}

std::vector<Fit> fit_root_law_of(const Trace& trace, const std::string& x_name) {
  std::vector<statistics::LinePoint> points;
  std::vector<double> x;
  for (std::size_t i = 0; i < trace.x.size(); ++i) {
    const Outcome& y = trace.y[i];
    if (!(trace.x[i] > 0) || !std::isfinite(y.value) || !std::isfinite(y.interval.width())) continue;
    points.push_back({1 / std::sqrt(trace.x[i]), y.value, y.interval});
    x.push_back(trace.x[i]);
  }
  if (points.size() < fewest_points) return {};
  const statistics::Line line = statistics::fit_line(points);
  Fit fit{.law = "a/sqrt(x) + b", .points = points.size(), .largest_residual = line.largest_residual};
  fit.terms = {{"a", {line.slope, line.slope_interval}}, {"b", {line.intercept, line.intercept_interval}}};
  fit.curve = curve_of(x.front(), x.back(), [&](double at) { return line.slope / std::sqrt(at) + line.intercept; });
  fit.label = fmt::format("{:.3g}/sqrt({}) + {:.3g}", line.slope, x_name, line.intercept);
  return {fit};
}

}  // namespace attest::sweeps
