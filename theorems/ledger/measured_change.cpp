#include "theorems/ledger/measured_change.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace attest::ledger {
namespace {

bool is(char c, int (*kind)(int)) { return kind(static_cast<unsigned char>(c)) != 0; }

/// Numbers, names and single signs.
std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    if (is(text[i], std::isspace)) {
      ++i;
      continue;
    }
    if (is(text[i], std::isdigit)) {
      while (i < text.size() && is(text[i], std::isdigit)) ++i;
      // The dots of 1..9 are not a decimal point.
      if (i + 1 < text.size() && text[i] == '.' && is(text[i + 1], std::isdigit)) {
        ++i;
        while (i < text.size() && is(text[i], std::isdigit)) ++i;
      }
      std::size_t power = i + 1;
      if (power < text.size() && (text[power] == '-' || text[power] == '+')) ++power;
      if (i < text.size() && text[i] == 'e' && power < text.size() && is(text[power], std::isdigit)) {
        i = power;
        while (i < text.size() && is(text[i], std::isdigit)) ++i;
      }
    } else if (is(text[i], std::isalpha) || text[i] == '_') {
      while (i < text.size() && (is(text[i], std::isalnum) || text[i] == '_')) ++i;
    } else {
      ++i;
    }
    tokens.push_back(text.substr(begin, i - begin));
  }
  return tokens;
}

std::optional<double> number(std::string_view token) {
  if (token.empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc() || end != token.data() + token.size() || !is(token.front(), std::isdigit))
    return std::nullopt;
  return value;
}

/// The tokens of both texts, which it walks through at once; what stands in the changed one alone may be a number in
/// the place of another, a factor, a divisor or an exponent.
class Walk {
 public:
  Walk(std::string_view text, std::string_view changed) : before_(tokens_of(text)), after_(tokens_of(changed)) {}

  /// The least size over the ways to explain what differs.
  double size() const { return size_from({}); }

 private:
  struct State {
    std::size_t i = 0, j = 0;  ///< in the text and in the changed one
    int open = 0;              ///< brackets that a factor has opened
    int changes = 0;
    double largest = 0;
  };
  static constexpr int most_changes = 8;
  static constexpr std::string_view binding = "^'[.";  ///< begin what binds closer than a product

  static std::string_view at(const std::vector<std::string_view>& tokens, std::size_t i) {
    return i < tokens.size() ? tokens[i] : std::string_view();
  }
  static bool is_one_of(std::string_view token, std::string_view signs) {
    return token.size() == 1 && signs.find(token) != std::string_view::npos;
  }

  double size_from(State s) const {
    while (s.j < after_.size() && at(before_, s.i) == after_[s.j]) ++s.i, ++s.j;
    if (s.j == after_.size())
      return s.i == before_.size() && s.open == 0 && s.largest > 0 ? std::min(s.largest, 1.0) : 1;
    if (s.changes == most_changes) return 1;
    return std::min({with_factor_before(s), with_factor_behind(s), with_bracket_closed(s), with_number_replaced(s)});
  }

  double after_change(State s, double factor, std::size_t i, std::size_t j) const {
    s.i += i, s.j += j, ++s.changes;
    s.largest = std::max(s.largest, std::abs(factor - 1));
    return size_from(s);
  }

  /// "0.999*" before what is scaled, or "0.999*(" before a sum that stands in no product and behind no minus. Behind a
  /// quotient's or a power's sign it would be a part of what follows: "a/0.999*b" multiplies by b.
  double with_factor_before(State s) const {
    const auto factor = number(at(after_, s.j));
    const std::string_view behind = s.j > 0 ? after_[s.j - 1] : std::string_view();
    if (!factor || at(after_, s.j + 1) != "*" || is_one_of(behind, "/^")) return 1;
    if (at(after_, s.j + 2) != "(" || at(before_, s.i) == "(") return after_change(s, *factor, 0, 2);
    if (is_one_of(behind, "*-")) return 1;
    ++s.open;
    return after_change(s, *factor, 0, 3);
  }

  /// "*2", "/2" or "^2" behind what is changed, unless the next sign takes the number for itself: "a*2^b".
  double with_factor_behind(const State& s) const {
    const std::string_view sign = at(after_, s.j);
    const auto factor = number(at(after_, s.j + 1));
    if (!factor || !is_one_of(sign, "*/^") || (sign == "/" && *factor == 0)) return 1;
    if (is_one_of(at(after_, s.j + 2), binding)) return 1;
    return after_change(s, sign == "/" ? 1 / *factor : *factor, 0, 2);
  }

  /// The end of a bracket that was opened, behind which nothing binds closer than a sum.
  double with_bracket_closed(State s) const {
    if (s.open == 0 || at(after_, s.j) != ")" || is_one_of(at(after_, s.j + 1), "*/^'[.")) return 1;
    --s.open, ++s.j;
    return size_from(s);
  }

  double with_number_replaced(const State& s) const {
    const auto a = number(at(before_, s.i)), b = number(at(after_, s.j));
    return a && b && *a != 0 ? after_change(s, *b / *a, 1, 1) : 1;
  }

  std::vector<std::string_view> before_, after_;
};

}  // namespace

double measured_change(std::string_view text, std::string_view changed) { return Walk(text, changed).size(); }

}  // namespace attest::ledger
