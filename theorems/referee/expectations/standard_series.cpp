#include "theorems/referee/expectations/standard_series.hpp"

#include "theorems/referee/expectations/random_draws.hpp"

namespace attest::referee {

using rigor::Ball;

namespace {

/// By parts, from f' = -f for exp(-z) and f' = -z f for the normal density f. `jumps`[k] is (z - c)^k f between the
/// ends.
std::vector<Ball> exponential_recursion(const std::vector<Ball>& jumps) {
  std::vector<Ball> moments;
  for (std::size_t k = 0; k < jumps.size(); ++k)
    moments.push_back((k == 0 ? Ball(0) : Ball(k) * moments[k - 1]) - jumps[k]);
  return moments;
}
std::vector<Ball> normal_recursion(const std::vector<Ball>& jumps, const Ball& c, const Ball& mass) {
  std::vector<Ball> moments = {mass};
  for (std::size_t k = 1; k < jumps.size(); ++k) {
    Ball next = -c * moments[k - 1] - jumps[k - 1];
    if (k > 1) next += Ball(k - 1) * moments[k - 2];
    moments.push_back(next);
  }
  return moments;
}

/// (z - c)^k f from a to b.
std::vector<Ball> jumps_of(const Ball& a, const Ball& b, const Ball& c, const Ball& at_a, const Ball& at_b, int count) {
  std::vector<Ball> jumps;
  Ball low = at_a, high = at_b;
  for (int k = 0; k < count; ++k) {
    jumps.push_back(high - low);
    low *= a - c;
    high *= b - c;
  }
  return jumps;
}

std::vector<Ball> exponential_moments(const Ball& a, const Ball& b, const Ball& c, int count) {
  return exponential_recursion(jumps_of(a, b, c, rigor::exp(-a), rigor::exp(-b), count));
}

std::vector<Ball> moments_about(const std::string& name, const Ball& a, const Ball& b, const Ball& c, int count) {
  std::vector<Ball> moments;
  if (name == "uniform") {
    const std::vector<Ball> jumps = jumps_of(a, b, c, a - c, b - c, count);
    for (int k = 0; k < count; ++k) moments.push_back(jumps[static_cast<std::size_t>(k)] / Ball(k + 1));
    return moments;
  }
  if (name == "exponential") return exponential_moments(a, b, c, count);
  if (name == "laplace") {
    const bool below = !a.is_nonnegative();
    moments = below ? exponential_moments(-b, -a, -c, count) : exponential_moments(a, b, c, count);
    for (std::size_t k = 0; k < moments.size(); ++k)
      moments[k] = (below && k % 2 == 1 ? -moments[k] : moments[k]) / Ball(2);
    return moments;
  }
  const Ball root = rigor::sqrt(Ball(2) * Ball::pi());
  const auto density = [&](const Ball& z) { return rigor::exp(-rigor::square(z) / Ball(2)) / root; };
  return normal_recursion(jumps_of(a, b, c, density(a), density(b), count), c, standard_mass(name, a, b));
}

}  // namespace

BallSeries series_of_standard(const std::string& name, std::span<const Ball> arguments, const Ball& z) {
  const bool power = name == "lognormal";
  const std::string linear = power ? "normal" : name;
  BallSeries series(from_standard(linear, arguments, z), 0);
  arb_poly_set_coeff_arb(series.raw(), 1, slope_of_standard(linear, arguments, z).raw());
  return power ? *apply(language::Unary::exp, series) : series;
}

std::vector<Ball> standard_moments(const std::string& name, double a, double b, int count) {
  // Each step of a recursion cancels about as many leading bits as the interval is narrow.
  const rigor::PrecisionScope precision(4 * rigor::working_precision());
  const double c = (a + b) / 2;
  std::vector<Ball> moments = moments_about(name, Ball(a), Ball(b), Ball(c), count);
  const Ball mass = standard_mass(name, Ball(a), Ball(b)), reach = rigor::max(Ball(b) - Ball(c), Ball(c) - Ball(a));
  Ball most = mass;
  for (std::size_t k = 0; k < moments.size(); ++k, most *= reach) {
    const Ball possible = Ball::hull(k % 2 == 0 ? Ball(0) : -most, most);
    if (!moments[k].is_finite() || moments[k].radius() > possible.radius()) moments[k] = possible;
  }
  return moments;
}

Ball by_expansion(const BallSeries& everywhere, const BallSeries& middle, const std::vector<Ball>& moments,
                  const Ball& half_width, Ball known) {
  Ball terms;
  for (std::size_t m = 0; m < moments.size(); ++m) {
    const Ball r = everywhere.coefficient(static_cast<int>(m)), at(r.mid());
    const double spread = rigor::abs(r - at).upper();
    const Ball absolute = m % 2 == 0 ? moments[m] : moments[m - 1] * half_width;
    const Ball form = terms + at * moments[m] + Ball::hull(Ball(-spread), Ball(spread)) * absolute;
    if (form.is_finite() && !(form.radius() >= known.radius())) known = form;
    terms += middle.coefficient(static_cast<int>(m)) * moments[m];
  }
  return known;
}

}  // namespace attest::referee
