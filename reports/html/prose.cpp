#include "reports/html/prose.hpp"

#include "reports/html/ascii_mathematics.hpp"
#include "reports/markup.hpp"
#include "reports/numbers.hpp"

namespace attest::reports::html {
namespace {

struct Delimited {
  std::size_t open = std::string_view::npos;
  std::size_t close = std::string_view::npos;
  std::size_t width = 1;
};

/// The first formula in `text`.
Delimited first_formula(std::string_view text) {
  const std::size_t dollar = text.find('$');
  const std::size_t bracket = text.find("\\(");
  if (bracket < dollar) return {bracket, text.find("\\)", bracket + 2), 2};
  if (dollar != std::string_view::npos) return {dollar, text.find('$', dollar + 1), 1};
  return {};
}

/// Whether the first word is one that takes a capital: two or more small letters, and no symbol's name.
bool starts_with_a_word(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && text[length] >= 'a' && text[length] <= 'z') ++length;
  // The article is the one word of a single letter that starts a sentence.
  if (length == 1 && text.size() > 3 && text.substr(0, 2) == "a " && text[2] >= 'a' && text[2] <= 'z' &&
      text[3] >= 'a') {
    return true;
  }
  const bool whole_word =
      length == text.size() || std::string_view(" ,:;-'").find(text[length]) != std::string_view::npos;
  return length >= 2 && whole_word && greek_letter(text.substr(0, length)).empty();
}

}  // namespace

std::string display_formula(std::string_view tex) {
  return "<div class=\"formula\"><span class=\"tex\" data-display>" + escaped(tex) + "</span></div>";
}

std::string inline_formula(std::string_view tex) { return "<span class=\"tex\">" + escaped(tex) + "</span>"; }

std::string prose(std::string_view text) {
  std::string result;
  while (true) {
    const Delimited formula = first_formula(text);
    if (formula.close == std::string_view::npos) return result + set_ascii_mathematics(text, Digits::rounded);
    const std::size_t start = formula.open + formula.width;
    result += set_ascii_mathematics(text.substr(0, formula.open), Digits::rounded) +
              inline_formula(text.substr(start, formula.close - start));
    text.remove_prefix(formula.close + formula.width);
  }
}

std::string sentence(std::string_view text) {
  if (text.empty()) return {};
  std::string whole(text);
  if (starts_with_a_word(text)) whole[0] = static_cast<char>(whole[0] - 'a' + 'A');
  if (std::string_view(".!?:").find(whole.back()) == std::string_view::npos) whole += '.';
  return prose(whole);
}

std::string exact(std::string_view text) { return set_ascii_mathematics(text, Digits::exact); }

std::string number(double value, int digits) {
  return set_ascii_mathematics(readable_number(value, digits), Digits::exact);
}

}  // namespace attest::reports::html
