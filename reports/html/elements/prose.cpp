#include "reports/html/elements/prose.hpp"

#include <vector>

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

/// The lines of `\begin{aligned}&a \\ &b\end{aligned}`, or the whole formula where it is anything else: a line of its
/// own breaks where its column ends, and an aligned one does not.
std::vector<std::string_view> aligned_lines(std::string_view tex) {
  constexpr std::string_view open = "\\begin{aligned}&";
  constexpr std::string_view close = "\\end{aligned}";
  constexpr std::string_view next = " \\\\ &";
  if (!tex.starts_with(open) || !tex.ends_with(close)) return {tex};
  tex = tex.substr(open.size(), tex.size() - open.size() - close.size());
  std::vector<std::string_view> lines;
  std::size_t line = 0;
  int depth = 0;
  for (std::size_t at = 0; at < tex.size(); ++at) {
    const std::string_view rest = tex.substr(at);
    if (rest.starts_with("\\begin{")) ++depth;
    if (rest.starts_with("\\end{")) --depth;
    // An environment inside of a line has separators of its own.
    if (depth > 0 || !rest.starts_with(next)) continue;
    lines.push_back(tex.substr(line, at - line));
    line = at + next.size();
  }
  lines.push_back(tex.substr(line));
  return lines;
}

}  // namespace

std::string display_formula(std::string_view tex) {
  std::string lines;
  for (const std::string_view line : aligned_lines(tex))
    lines += R"(<span class="tex" data-display>)" + escaped(line) + "</span>";
  return "<div class=\"formula\">" + lines + "</div>";
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
