#include "theorems/language/writing/number_text.hpp"

#include <fmt/format.h>

namespace attest::language {
namespace {

constexpr std::size_t longest_plain = 16;

struct Fraction {
  std::string numerator, denominator;
};

Fraction fraction_of(const rigor::Rational& value) {
  char* text = fmpq_get_str(nullptr, 10, value.raw());
  std::string whole(text);
  flint_free(text);
  const auto slash = whole.find('/');
  if (slash == std::string::npos) return {whole, "1"};
  return {whole.substr(0, slash), whole.substr(slash + 1)};
}

/// Decimal digits and exponent, value = digits * 10^exponent, of a number without sign; no digits where it has no
/// finite decimal.
struct Decimal {
  std::string digits;
  long exponent = 0;
};

Decimal decimal_of(const rigor::Rational& value) {
  fmpz_t rest, digits;
  fmpz_init(rest);
  fmpz_init(digits);
  fmpz_set(rest, fmpq_denref(value.raw()));
  // 10^k clears the denominator 2^a 5^b first at k = max(a, b).
  fmpz_t two, five;
  fmpz_init_set_ui(two, 2);
  fmpz_init_set_ui(five, 5);
  const auto a = static_cast<long>(fmpz_remove(rest, rest, two));
  const auto b = static_cast<long>(fmpz_remove(rest, rest, five));
  Decimal result;
  if (fmpz_is_one(rest) != 0) {
    const long k = a > b ? a : b;
    fmpz_ui_pow_ui(digits, 10, static_cast<unsigned long>(k));
    fmpz_mul(digits, digits, fmpq_numref(value.raw()));
    fmpz_divexact(digits, digits, fmpq_denref(value.raw()));
    char* text = fmpz_get_str(nullptr, 10, digits);
    result = {text, -k};
    flint_free(text);
    while (result.digits.size() > 1 && result.digits.back() == '0') {
      result.digits.pop_back();
      ++result.exponent;
    }
  }
  fmpz_clear(five);
  fmpz_clear(two);
  fmpz_clear(digits);
  fmpz_clear(rest);
  return result;
}

std::string plain(const Decimal& decimal) {
  const auto length = static_cast<long>(decimal.digits.size());
  if (decimal.exponent >= 0) return decimal.digits + std::string(static_cast<std::size_t>(decimal.exponent), '0');
  const long before = length + decimal.exponent;
  if (before <= 0) return "0." + std::string(static_cast<std::size_t>(-before), '0') + decimal.digits;
  return decimal.digits.substr(0, static_cast<std::size_t>(before)) + "." +
         decimal.digits.substr(static_cast<std::size_t>(before));
}

std::string scientific(const Decimal& decimal) {
  const std::string fraction = decimal.digits.size() > 1 ? "." + decimal.digits.substr(1) : "";
  return fmt::format("{}{}e{}", decimal.digits[0], fraction,
                     decimal.exponent + static_cast<long>(decimal.digits.size()) - 1);
}

}  // namespace

std::string number_text(const rigor::Rational& value) {
  if (value < rigor::Rational()) return "-" + number_text(-value);
  const Fraction fraction = fraction_of(value);
  std::string both = fraction.numerator + "/" + fraction.denominator;
  if (fraction.denominator == "1" && fraction.numerator.size() <= longest_plain) return fraction.numerator;
  if (fraction.denominator.size() == 1 && fraction.denominator != "1" && fraction.denominator != "5") return both;
  const Decimal decimal = decimal_of(value);
  if (decimal.digits.empty()) return both;
  const long before = static_cast<long>(decimal.digits.size()) + decimal.exponent;
  std::string with_exponent = scientific(decimal);
  // 0.001, but 1e-4.
  if (before > 40 || before < -2) return with_exponent;
  const std::string without = plain(decimal);
  return without.size() <= longest_plain || without.size() <= with_exponent.size() ? without : with_exponent;
}

}  // namespace attest::language
