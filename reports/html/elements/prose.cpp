#include "reports/html/elements/prose.hpp"

#include "reports/html/elements/ascii_mathematics.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/sentence.hpp"

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

}  // namespace

std::string display_formula(std::string_view tex) {
  return R"(<div class="formula"><span class="tex" data-display>)" + escaped(tex) + "</span></div>";
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

std::string sentence(std::string_view text) { return prose(as_sentence(text)); }

std::string exact(std::string_view text) { return set_ascii_mathematics(text, Digits::exact); }

std::string number(double value, int digits) {
  return set_ascii_mathematics(readable_number(value, digits), Digits::exact);
}

}  // namespace attest::reports::html
