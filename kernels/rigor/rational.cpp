#include "kernels/rigor/rational.hpp"

#include <cmath>
#include <cstdlib>
#include <stdexcept>

#if __has_include(<flint/arf.h>)
#include <flint/arf.h>
#else
#include <arf.h>
#endif

namespace attest::rigor {
namespace {

bool digits_only(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

void set_digits(fmpz_t value, std::string_view digits) { fmpz_set_str(value, std::string(digits).c_str(), 10); }

/// Ten to a power that a person may have typed; more would only fill the memory.
constexpr long largest_exponent = 100000;

}  // namespace

Rational::Rational(std::int64_t numerator, std::int64_t denominator) : Rational() {
  if (denominator == 0) throw std::invalid_argument("a rational number's denominator is 0");
  Rational bottom;
  fmpz_set_si(fmpq_numref(value_), numerator);
  fmpz_set_si(fmpq_numref(bottom.value_), denominator);
  fmpq_div(value_, value_, bottom.value_);
}

Rational Rational::from_double(double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("an infinity or NaN is not a rational number");
  Rational result;
  arf_t exact;
  arf_init(exact);
  arf_set_d(exact, value);
  arf_get_fmpq(result.value_, exact);
  arf_clear(exact);
  return result;
}

Rational Rational::from_text(std::string_view text) {
  const auto fail = [&]() -> Rational {
    throw std::invalid_argument("'" + std::string(text) + "' is not a number such as 12, 0.71, 2.5e-3 or 22/7");
  };
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (negative) rest.remove_prefix(1);
  Rational result;
  if (const auto slash = rest.find('/'); slash != std::string_view::npos) {
    if (!digits_only(rest.substr(0, slash)) || !digits_only(rest.substr(slash + 1))) return fail();
    Rational bottom;
    set_digits(fmpq_numref(result.value_), rest.substr(0, slash));
    set_digits(fmpq_numref(bottom.value_), rest.substr(slash + 1));
    if (fmpq_is_zero(bottom.value_)) return fail();
    fmpq_div(result.value_, result.value_, bottom.value_);
  } else {
    long exponent = 0;
    if (const auto e = rest.find_first_of("eE"); e != std::string_view::npos) {
      std::string power(rest.substr(e + 1));
      if (!power.empty() && power.front() == '+') power.erase(0, 1);
      if (!digits_only(power.starts_with('-') ? power.substr(1) : power) || power.size() > 7) return fail();
      exponent = std::strtol(power.c_str(), nullptr, 10);
      rest = rest.substr(0, e);
    }
    std::string digits(rest);
    if (const auto dot = digits.find('.'); dot != std::string::npos) {
      exponent -= static_cast<long>(digits.size() - dot - 1);
      digits.erase(dot, 1);
    }
    if (!digits_only(digits) || std::labs(exponent) > largest_exponent) return fail();
    set_digits(fmpq_numref(result.value_), digits);
    Rational ten(10);
    fmpq_pow_si(ten.value_, ten.value_, exponent);
    fmpq_mul(result.value_, result.value_, ten.value_);
  }
  if (negative) fmpq_neg(result.value_, result.value_);
  return result;
}

Rational operator+(const Rational& a, const Rational& b) {
  Rational result;
  fmpq_add(result.value_, a.value_, b.value_);
  return result;
}

Rational operator-(const Rational& a, const Rational& b) {
  Rational result;
  fmpq_sub(result.value_, a.value_, b.value_);
  return result;
}

Rational operator*(const Rational& a, const Rational& b) {
  Rational result;
  fmpq_mul(result.value_, a.value_, b.value_);
  return result;
}

Rational operator/(const Rational& a, const Rational& b) {
  if (fmpq_is_zero(b.value_)) throw std::invalid_argument("a rational number is divided by 0");
  Rational result;
  fmpq_div(result.value_, a.value_, b.value_);
  return result;
}

Rational operator-(const Rational& a) {
  Rational result;
  fmpq_neg(result.value_, a.value_);
  return result;
}

Ball Rational::to_ball() const {
  Ball result;
  arb_set_fmpq(result.raw(), value_, working_precision());
  return result;
}

double Rational::to_double() const {
  const PrecisionScope scope(200);
  return to_ball().mid();
}

std::int64_t Rational::to_integer() const {
  if (!is_whole() || fmpz_fits_si(fmpq_numref(value_)) == 0)
    throw std::out_of_range(to_string() + " is not a whole number of 64 bits");
  return fmpz_get_si(fmpq_numref(value_));
}

std::string Rational::to_string() const {
  char* text = fmpq_get_str(nullptr, 10, value_);
  std::string fraction(text);
  flint_free(text);
  if (is_whole()) return fraction;
  // A decimal ends exactly where some power of ten clears the denominator.
  Rational shifted = *this;
  const Rational ten(10);
  for (int places = 1; places <= 17; ++places) {
    shifted = shifted * ten;
    if (!shifted.is_whole()) continue;
    text = fmpz_get_str(nullptr, 10, fmpq_numref(shifted.value_));
    std::string digits(text);
    flint_free(text);
    const bool negative = digits.front() == '-';
    if (negative) digits.erase(0, 1);
    if (digits.size() > 17) return fraction;
    const auto wanted = static_cast<std::size_t>(places);
    if (digits.size() <= wanted) digits.insert(0, wanted + 1 - digits.size(), '0');
    digits.insert(digits.size() - wanted, ".");
    return negative ? "-" + digits : digits;
  }
  return fraction;
}

}  // namespace attest::rigor
