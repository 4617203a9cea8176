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
  double value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc() || end != token.data() + token.size() || !is(token.front(), std::isdigit))
    return std::nullopt;
  return value;
}

/// A size of its own, or 1.
double sized(double change) { return change > 0 ? std::min(change, 1.0) : 1.0; }

}  // namespace

double measured_change(std::string_view text, std::string_view changed) {
  const std::vector<std::string_view> before = tokens_of(text), after = tokens_of(changed);
  if (before.size() == after.size()) {
    double largest = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] == after[i]) continue;
      const auto a = number(before[i]), b = number(after[i]);
      if (!a || !b || *a == 0) return 1;
      largest = std::max(largest, std::abs(*b / *a - 1));
    }
    return sized(largest);
  }
  // One factor more: two tokens that stand in the changed text alone.
  if (after.size() != before.size() + 2) return 1;
  const auto apart = static_cast<std::size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
  // "2*x" in the place of "x", or "x*2", "x/2": where the texts part, or one token earlier in "x*x" against "x*2*x".
  for (const std::size_t at : {apart, apart - 1}) {
    if (at > before.size() || !std::equal(before.begin() + static_cast<std::ptrdiff_t>(at), before.end(),
                                          after.begin() + static_cast<std::ptrdiff_t>(at) + 2))
      continue;
    const std::string_view first = after[at], second = after[at + 1];
    if (const auto factor = number(first); factor && second == "*") return sized(std::abs(*factor - 1));
    if (const auto factor = number(second); factor && (first == "*" || (first == "/" && *factor != 0)))
      return sized(std::abs((first == "/" ? 1 / *factor : *factor) - 1));
  }
  return 1;
}

}  // namespace attest::ledger
