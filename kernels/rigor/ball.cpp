#include "kernels/rigor/ball.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>

namespace attest::rigor {
namespace {

// FLINT keeps caches (constants, temporaries) per thread; they are given back when the thread ends. Every operation
// asks for the precision, so a thread that has used a ball has this object.
struct ThreadState {
  slong precision = 128;
  ThreadState() = default;
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;
  ~ThreadState() { flint_cleanup(); }
};
thread_local ThreadState thread_state;

struct Arf {
  arf_t value;
  Arf() { arf_init(value); }
  ~Arf() { arf_clear(value); }
  Arf(const Arf&) = delete;
  Arf& operator=(const Arf&) = delete;
};

// ball := a ball around [low, high], exactly that interval where 30 bits are enough for the radius.
void set_interval(arb_t ball, const arf_t low, const arf_t high, slong precision) {
  Arf reach;
  Arf reach_down;
  arf_add(arb_midref(ball), low, high, std::max<slong>(precision, 64), ARF_RND_NEAR);
  arf_mul_2exp_si(arb_midref(ball), arb_midref(ball), -1);
  arf_sub(reach.value, high, arb_midref(ball), precision, ARF_RND_CEIL);
  arf_sub(reach_down.value, arb_midref(ball), low, precision, ARF_RND_CEIL);
  arf_max(reach.value, reach.value, reach_down.value);
  // arf_get_mag adds a unit even to a number that fits; rounding down keeps such a number as it is.
  arf_get_mag_lower(arb_radref(ball), reach.value);
  if (arf_cmpabs_mag(reach.value, arb_radref(ball)) > 0) arf_get_mag(arb_radref(ball), reach.value);
}

// The product or quotient from the four pairs of ends; `operation` is monotone in each operand. (m +- r)(n +- s) =
// m n +- (|m| s + |n| r + r s) would reach below 0 where neither factor does.
Ball from_ends(void (*operation)(arb_t, const arb_t, const arb_t, slong), const Ball& a, const Ball& b) {
  const slong precision = working_precision();
  std::array<Ball, 2> ends_a;
  std::array<Ball, 2> ends_b;
  for (const auto& [ends, ball] : {std::pair{&ends_a, &a}, std::pair{&ends_b, &b}}) {
    arb_get_lbound_arf(arb_midref((*ends)[0].raw()), ball->raw(), precision);
    arb_get_ubound_arf(arb_midref((*ends)[1].raw()), ball->raw(), precision);
  }
  Ball lowest;
  Ball highest;
  Ball value;
  bool first = true;
  for (const Ball& x : ends_a) {
    for (const Ball& y : ends_b) {
      operation(value.raw(), x.raw(), y.raw(), precision);
      lowest = first ? value : min(lowest, value);
      highest = first ? value : max(highest, value);
      first = false;
    }
  }
  return Ball::hull(lowest, highest);
}

// The sum from the pairs of lower and of upper ends. Adding the radii would round them up and take [0, a] + [0, b]
// below 0.
Ball sum_of_ends(const Ball& a, const Ball& b) {
  const slong precision = working_precision();
  Ball low;
  Ball high;
  Arf other;
  arb_get_lbound_arf(arb_midref(low.raw()), a.raw(), precision);
  arb_get_lbound_arf(other.value, b.raw(), precision);
  arb_add_arf(low.raw(), low.raw(), other.value, precision);
  arb_get_ubound_arf(arb_midref(high.raw()), a.raw(), precision);
  arb_get_ubound_arf(other.value, b.raw(), precision);
  arb_add_arf(high.raw(), high.raw(), other.value, precision);
  return Ball::hull(low, high);
}

}  // namespace

std::int64_t working_precision() { return thread_state.precision; }

PrecisionScope::PrecisionScope(std::int64_t bits) : previous_(thread_state.precision) {
  if (bits < 2 || bits > 1'000'000) {
    throw std::invalid_argument("PrecisionScope: bits is " + std::to_string(bits) + ", give 2 to 1000000");
  }
  thread_state.precision = bits;
}

PrecisionScope::~PrecisionScope() { thread_state.precision = previous_; }

Ball Ball::from_rational(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0) throw std::invalid_argument("Ball::from_rational: denominator is 0, give a nonzero one");
  return Ball(numerator) / Ball(denominator);
}

Ball Ball::from_decimal(const std::string& decimal) {
  Ball result;
  if (arb_set_str(result.value_, decimal.c_str(), working_precision()) != 0) {
    throw std::invalid_argument("Ball::from_decimal: '" + decimal + "' is not a decimal number such as -2.5e-3");
  }
  return result;
}

Ball Ball::pi() {
  Ball result;
  arb_const_pi(result.value_, working_precision());
  return result;
}

Ball Ball::e() {
  Ball result;
  arb_const_e(result.value_, working_precision());
  return result;
}

Ball Ball::hull(const Ball& a, const Ball& b) {
  Ball result;
  if (!a.is_finite() || !b.is_finite()) {
    arb_indeterminate(result.value_);
    return result;
  }
  const slong precision = working_precision();
  Arf low;
  Arf high;
  Arf other;
  arb_get_lbound_arf(low.value, a.value_, precision);
  arb_get_lbound_arf(other.value, b.value_, precision);
  arf_min(low.value, low.value, other.value);
  arb_get_ubound_arf(high.value, a.value_, precision);
  arb_get_ubound_arf(other.value, b.value_, precision);
  arf_max(high.value, high.value, other.value);
  set_interval(result.value_, low.value, high.value, precision);
  // A radius has 30 bits, so rounding it up may take an end across 0, where sqrt and log would be lost. Then we let the
  // near end be 0 itself and move the far end outwards to 29 bits, for which midpoint and radius are exact.
  if (arf_sgn(low.value) >= 0 && !result.is_nonnegative()) {
    arf_zero(low.value);
    arf_set_round(high.value, high.value, 29, ARF_RND_CEIL);
    set_interval(result.value_, low.value, high.value, precision);
  } else if (arf_sgn(high.value) <= 0 && !result.is_nonpositive()) {
    arf_zero(high.value);
    arf_set_round(low.value, low.value, 29, ARF_RND_FLOOR);
    set_interval(result.value_, low.value, high.value, precision);
  }
  return result;
}

Ball& Ball::operator+=(const Ball& other) {
  if (is_wide() || other.is_wide()) return *this = *this + other;
  arb_add(value_, value_, other.value_, working_precision());
  return *this;
}
Ball& Ball::operator-=(const Ball& other) {
  if (is_wide() || other.is_wide()) return *this = *this - other;
  arb_sub(value_, value_, other.value_, working_precision());
  return *this;
}
Ball& Ball::operator*=(const Ball& other) { return *this = *this * other; }
Ball& Ball::operator/=(const Ball& other) { return *this = *this / other; }

Ball operator+(const Ball& a, const Ball& b) {
  if (a.is_wide() || b.is_wide()) return sum_of_ends(a, b);
  Ball result;
  arb_add(result.value_, a.value_, b.value_, working_precision());
  return result;
}
Ball operator-(const Ball& a, const Ball& b) {
  if (a.is_wide() || b.is_wide()) return sum_of_ends(a, -b);
  Ball result;
  arb_sub(result.value_, a.value_, b.value_, working_precision());
  return result;
}
Ball operator*(const Ball& a, const Ball& b) {
  if (a.is_wide() || b.is_wide()) return from_ends(arb_mul, a, b);
  Ball result;
  arb_mul(result.value_, a.value_, b.value_, working_precision());
  return result;
}
Ball operator/(const Ball& a, const Ball& b) {
  if ((a.is_wide() || b.is_wide()) && !b.contains_zero()) return from_ends(arb_div, a, b);
  Ball result;
  arb_div(result.value_, a.value_, b.value_, working_precision());
  return result;
}
Ball operator-(const Ball& a) {
  Ball result;
  arb_neg(result.value_, a.value_);
  return result;
}

double Ball::mid() const { return arf_get_d(arb_midref(value_), ARF_RND_NEAR); }

double Ball::radius() const {
  Arf radius;
  arf_set_mag(radius.value, arb_radref(value_));
  return arf_get_d(radius.value, ARF_RND_CEIL);
}

double Ball::lower() const {
  if (!is_finite()) return -std::numeric_limits<double>::infinity();
  Arf bound;
  arb_get_lbound_arf(bound.value, value_, working_precision());
  return arf_get_d(bound.value, ARF_RND_FLOOR);
}

double Ball::upper() const {
  if (!is_finite()) return std::numeric_limits<double>::infinity();
  Arf bound;
  arb_get_ubound_arf(bound.value, value_, working_precision());
  return arf_get_d(bound.value, ARF_RND_CEIL);
}

bool Ball::is_finite() const { return arb_is_finite(value_) != 0; }
bool Ball::is_exact() const { return is_finite() && arb_is_exact(value_) != 0; }
bool Ball::contains_zero() const { return arb_contains_zero(value_) != 0; }

bool Ball::contains(double x) const {
  Arf number;
  arf_set_d(number.value, x);
  return arb_contains_arf(value_, number.value) != 0;
}

bool Ball::contains(const Ball& inner) const { return arb_contains(value_, inner.value_) != 0; }

// Arb answers the sign queries for NaN balls with false, and for infinite ones by their sign; we call neither certain.
bool Ball::is_positive() const { return is_finite() && arb_is_positive(value_) != 0; }
bool Ball::is_negative() const { return is_finite() && arb_is_negative(value_) != 0; }
bool Ball::is_nonnegative() const { return is_finite() && arb_is_nonnegative(value_) != 0; }
bool Ball::is_nonpositive() const { return is_finite() && arb_is_nonpositive(value_) != 0; }

bool Ball::is_wide() const { return is_finite() && relative_accuracy_bits() <= 20; }

std::int64_t Ball::relative_accuracy_bits() const { return arb_rel_accuracy_bits(value_); }

std::string Ball::to_string(int digits) const {
  char* text = arb_get_str(value_, digits, 0);
  std::string result(text);
  flint_free(text);
  return result;
}

bool certainly_less(const Ball& a, const Ball& b) {
  return a.is_finite() && b.is_finite() && arb_lt(a.raw(), b.raw()) != 0;
}
bool certainly_less_equal(const Ball& a, const Ball& b) {
  return a.is_finite() && b.is_finite() && arb_le(a.raw(), b.raw()) != 0;
}
bool overlaps(const Ball& a, const Ball& b) { return arb_overlaps(a.raw(), b.raw()) != 0; }

}  // namespace attest::rigor
