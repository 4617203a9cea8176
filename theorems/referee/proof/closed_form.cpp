#include "theorems/referee/proof/closed_form.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

namespace attest::referee {
namespace {

struct Factor {
  const char* text;
  double value;
};

const std::array factors = {
    Factor{"", 1.0},
    Factor{"sqrt(2)", std::numbers::sqrt2},
    Factor{"sqrt(3)", std::numbers::sqrt3},
    Factor{"pi", std::numbers::pi},
    Factor{"1/pi", std::numbers::inv_pi},
    Factor{"e", std::numbers::e},
    Factor{"1/e", 1 / std::numbers::e},
    Factor{"log(2)", std::numbers::ln2},
    Factor{"1/log(2)", 1 / std::numbers::ln2},
    Factor{"sqrt(5)", 2.2360679774997896964},
    Factor{"sqrt(pi)", 1 / std::numbers::inv_sqrtpi},
    Factor{"1/sqrt(pi)", std::numbers::inv_sqrtpi},
    Factor{"sqrt(2/pi)", 0.79788456080286535588},
    Factor{"sqrt(pi/2)", 1.2533141373155002512},
    Factor{"sqrt(e)", 1.6487212707001281468},
    Factor{"1/sqrt(e)", 0.60653065971263342360},
    Factor{"pi^2", std::numbers::pi* std::numbers::pi},
    Factor{"tanh(1)", 0.76159415595576488812},
};

std::string written(const Factor& factor, int p, int q) {
  const std::string base = factor.text;
  if (base.empty()) return q == 1 ? fmt::format("{}", p) : fmt::format("{}/{}", p, q);
  const std::string scaled = p == 1 ? base : fmt::format("{}*{}", p, base);
  return q == 1 ? scaled : fmt::format("{}/{}", scaled, q);
}

}  // namespace

std::optional<ClosedForm> closed_form(double value, double relative) {
  if (!(value > 0) || !std::isfinite(value)) return std::nullopt;
  std::optional<ClosedForm> best;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    for (int q = 1; q <= 48; ++q) {
      const double target = value / factors[f].value * q;
      if (!(target < 1e5)) break;
      const int p = static_cast<int>(std::lround(target));
      if (p < 1 || std::gcd(p, q) != 1) continue;
      const double candidate = factors[f].value * p / q;
      if (!(std::abs(candidate - value) <= relative * value)) continue;
      const int complexity = p * q * (f == 0 ? 1 : 2 + static_cast<int>(f));
      if (!best || complexity < best->complexity) best = ClosedForm{written(factors[f], p, q), candidate, complexity};
    }
  }
  // Among all forms up to this complexity about as many as its size lie within a factor e of the value.
  if (best && 2 * relative * best->complexity > 1e-2) return std::nullopt;
  return best;
}

}  // namespace attest::referee
