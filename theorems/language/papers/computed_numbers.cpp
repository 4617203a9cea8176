#include "theorems/language/papers/computed_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include "kernels/rigor/ball.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/program.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {
namespace {

using rigor::Ball;

constexpr std::string_view opening = "{=";
constexpr int usual_digits = 3;
constexpr int most_digits = 9;
constexpr std::int64_t bits = 256;
/// Numbers from 1e-12 to 1e13 are written out: with all their digits they are doubles, and so are their halves.
constexpr int least_place = -12, greatest_place = 12;

struct Number {
  std::string formula;
  int digits = usual_digits;
};

/// Where a character of the text stands.
Place place_at(std::string_view text, std::size_t at) {
  Place place{1, 1};
  for (const char c : text.substr(0, at)) {
    const bool goes_on = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // of a character of several bytes
    if (c == '\n')
      place = {place.line + 1, 1};
    else if (!goes_on)
      ++place.column;
  }
  return place;
}

/// The brace that closes the one at `open`; npos where none does.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// FORMULA, or FORMULA to N digits.
Number number_of(std::string_view inside, Place place) {
  constexpr std::string_view unit = " digits", before = " to ";
  const std::string_view trimmed = inside.substr(0, inside.find_last_not_of(" \n") + 1);
  if (!trimmed.ends_with(unit)) return {.formula = std::string(trimmed)};
  const std::string_view shorter = trimmed.substr(0, trimmed.size() - unit.size());
  const std::size_t at = shorter.rfind(before);
  Number number;
  const char* const end = shorter.data() + shorter.size();
  if (at == std::string_view::npos ||
      std::from_chars(shorter.data() + at + before.size(), end, number.digits).ptr != end || number.digits < 1 ||
      number.digits > most_digits)
    throw Problem(place, fmt::format("'{}' does not say how many digits; write {{= 2/3 to 4 digits}}, 1 to {} of them",
                                     trimmed, most_digits));
  number.formula = std::string(shorter.substr(0, at));
  return number;
}

Ball value_of(const std::string& formula) {
  const Expr expression = read_expression(formula);
  const Statement no_variables;
  const ExpressionProgram compiled = compile_expression(no_variables, expression, {});
  if (compiled.program.shape_of(compiled.result).rank != 0)
    throw Problem({1, 1}, fmt::format("'{}' is an array; write a formula that is one number", formula));
  BallEvaluator balls(compiled.program);
  balls.run({});
  return balls.value(compiled.result).front();
}

/// The value rounded to `digits` significant digits, zeros after the last other decimal left out.
std::string rounded(const Ball& value, const Number& number) {
  if (!value.is_finite()) throw Problem({1, 1}, fmt::format("'{}' has no value", number.formula));
  const double size = std::abs(value.mid());
  const int leading = size == 0 ? 0 : static_cast<int>(std::floor(std::log10(size)));
  if (leading < least_place || leading > greatest_place)
    throw Problem({1, 1},
                  fmt::format("'{}' is {:.1e}, which is not written out; scale it", number.formula, value.mid()));
  const int decimals = std::max(0, number.digits - 1 - leading);
  const Ball scaled = value * Ball(std::pow(10.0, decimals)) + Ball::from_rational(1, 2);
  const double low = std::floor(scaled.lower()), high = std::floor(scaled.upper());
  if (low != high)
    throw Problem({1, 1},
                  fmt::format("'{}' cannot be rounded to {} digits with certainty; write another number of them: "
                              "{{= {} to 4 digits}}",
                              number.formula, number.digits, number.formula));
  std::string text = fmt::format("{:.{}f}", low / std::pow(10.0, decimals), decimals);
  if (decimals > 0) text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

std::string with_computed_numbers(std::string_view prose) {
  std::string read;
  for (std::size_t at = 0; at < prose.size();) {
    const std::size_t begin = std::min(prose.find(opening, at), prose.size());
    read += prose.substr(at, begin - at);
    if (begin == prose.size()) break;
    const std::size_t end = closing(prose, begin);
    if (end == std::string_view::npos)
      throw Problem(place_at(prose, begin), "the braces are not closed; write, for example, {= 100*(1 - 3/4)}");
    const std::size_t formula = begin + opening.size();
    const Place place = place_at(prose, formula);
    try {
      const rigor::PrecisionScope scope(bits);
      const Number number = number_of(prose.substr(formula, end - formula), {1, 1});
      read += rounded(value_of(number.formula), number);
    } catch (const Problem& problem) {
      const Place within = problem.place();
      const bool first = within.line <= 1;
      throw Problem({place.line + std::max(within.line, 1) - 1,
                     first ? place.column + std::max(within.column, 1) - 1 : within.column},
                    problem.sentence());
    }
    at = end + 1;
  }
  return read;
}

}  // namespace attest::language
