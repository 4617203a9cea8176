// What a tape needs to know of its type of number.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "kernels/rigor/ball.hpp"
#include "kernels/rigor/rational.hpp"

namespace attest::language {

inline double exactly(const rigor::Rational& x, double) { return x.to_double(); }
inline rigor::Ball exactly(const rigor::Rational& x, const rigor::Ball&) { return x.to_ball(); }
inline double pi(double) { return std::numbers::pi; }
inline rigor::Ball pi(const rigor::Ball&) { return rigor::Ball::pi(); }
inline double euler(double) { return std::numbers::e; }
inline rigor::Ball euler(const rigor::Ball&) { return rigor::Ball::e(); }
inline double unknown(double) { return std::numeric_limits<double>::quiet_NaN(); }
inline rigor::Ball unknown(const rigor::Ball&) {
  rigor::Ball result;
  arb_indeterminate(result.raw());
  return result;
}

// What does not matter must not be multiplied by an infinite slope.
inline bool is_zero(double x) { return x == 0; }
inline bool is_zero(const rigor::Ball& x) { return arb_is_zero(x.raw()) != 0; }

/// The position that a raw number names; -1 where it names none.
inline std::int64_t position(double x) { return std::isfinite(x) ? static_cast<std::int64_t>(std::llround(x)) : -1; }
inline std::int64_t position(const rigor::Ball& x) { return x.is_exact() ? position(x.mid()) : -1; }

}  // namespace attest::language
