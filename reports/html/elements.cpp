#include "reports/html/elements.hpp"

#include <cctype>

#include <fmt/format.h>

#include "reports/markup.hpp"
#include "reports/numbers.hpp"

namespace attest::reports::html {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_'; }

/// Length of the exponent ("e-07") that ends the decimal number before `at`, or 0 when there is none.
std::size_t exponent_length(std::string_view text, std::size_t at) {
  if (text[at] != 'e' || at == 0 || !is_digit(text[at - 1])) return 0;
  std::size_t end = at + 1;
  if (end < text.size() && (text[end] == '-' || text[end] == '+')) ++end;
  const std::size_t digits = end;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == digits || (end < text.size() && is_word(text[end]) && text[end] != '.')) return 0;
  // What comes before must be a plain decimal number: not the hexadecimal 0x1e3, not the name v1e3.
  std::size_t start = at;
  while (start > 0 && is_word(text[start - 1])) --start;
  for (std::size_t i = start; i < at; ++i) {
    if (!is_digit(text[i]) && text[i] != '.') return 0;
  }
  return end - at;
}

/// Escaped text with true minus and plus-minus signs and powers of ten.
std::string typeset_numbers(std::string_view text) {
  std::string result;
  std::size_t copied = 0;
  const auto flush = [&](std::size_t upto) { result += escaped(text.substr(copied, upto - copied)); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const std::size_t length = exponent_length(text, i); length > 0) {
      // "1e-06" is 10^-6, not 1 × 10^-6.
      const bool mantissa_is_one = text[i - 1] == '1' && i - copied >= 1 && (i == 1 || !is_word(text[i - 2]));
      flush(mantissa_is_one ? i - 1 : i);
      int exponent = 0;
      for (std::size_t k = i + 1; k < i + length; ++k)
        exponent = is_digit(text[k]) ? exponent * 10 + (text[k] - '0') : 0;
      const bool negative = text[i + 1] == '-';
      result +=
          fmt::format("{}10<sup>{}{}</sup>", mantissa_is_one ? "" : "&#8239;×&#8239;", negative ? "−" : "", exponent);
      copied = i + length;
      i = copied - 1;
    } else if (text.substr(i, 3) == "+/-") {
      flush(i);
      result += "±";
      copied = i + 3;
      i += 2;
    } else if (text[i] == '-' && i + 1 < text.size() && is_digit(text[i + 1]) &&
               (i == 0 || std::string_view(" [(,=").find(text[i - 1]) != std::string_view::npos)) {
      flush(i);
      result += "−";
      copied = i + 1;
    }
  }
  flush(text.size());
  return result;
}

struct Delimited {
  std::size_t open = std::string_view::npos;
  std::size_t close = std::string_view::npos;
  std::size_t width = 1;
};

/// The first formula in `text`.
Delimited first_formula(std::string_view text) {
  const std::size_t dollar = text.find('$');
  const std::size_t bracket = text.find("\\(");
  Delimited found;
  if (bracket < dollar) {
    found = {bracket, text.find("\\)", bracket + 2), 2};
  } else if (dollar != std::string_view::npos) {
    found = {dollar, text.find('$', dollar + 1), 1};
  }
  return found;
}

}  // namespace

std::string anchor(std::string_view id) {
  std::string result(id);
  for (char& c : result) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '/' && c != '-' && c != '_' && c != '.') c = '-';
  }
  return result;
}

std::string badge(Verdict verdict) {
  return fmt::format("<span class=\"badge {0}\"><span aria-hidden=\"true\">{1}</span>{0}</span>", name(verdict),
                     symbol(verdict));
}

std::string display_formula(std::string_view tex) {
  return "<div class=\"formula\"><span class=\"tex\" data-display>" + escaped(tex) + "</span></div>";
}

std::string inline_formula(std::string_view tex) { return "<span class=\"tex\">" + escaped(tex) + "</span>"; }

std::string prose(std::string_view text) {
  std::string result;
  while (true) {
    const Delimited formula = first_formula(text);
    if (formula.close == std::string_view::npos) return result + typeset_numbers(text);
    const std::size_t start = formula.open + formula.width;
    result += typeset_numbers(text.substr(0, formula.open)) + inline_formula(text.substr(start, formula.close - start));
    text.remove_prefix(formula.close + formula.width);
  }
}

std::string number(double value, int digits) { return typeset_numbers(readable_number(value, digits)); }

std::string claim_link(const Results& results, std::string_view id) {
  const Claim* claim = find_claim(results, id);
  if (claim == nullptr) return "<code>" + escaped(id) + "</code>";
  return fmt::format("<a href=\"#{}\">{}</a>", anchor(id), escaped(claim->label));
}

std::string full_title(const Claim& claim) {
  return fmt::format("<span class=\"label\">{}</span> <span class=\"title\">{}</span>", escaped(claim.label),
                     prose(claim.title));
}

}  // namespace attest::reports::html
