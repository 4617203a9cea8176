#include "reports/record/badge.hpp"

#include <fmt/format.h>

#include "reports/record/totals.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/terminal.hpp"

namespace attest::reports {
namespace {

// What a character of the font below takes on average; `textLength` makes it exact whatever font is there.
constexpr int character_width = 7;
constexpr int margin = 6;

int width_of(const std::string& text) { return character_width * static_cast<int>(display_width(text)) + 2 * margin; }

}  // namespace

std::string badge_svg(const Results& results) {
  const Totals sum = totals(results);
  std::string words;
  for (const Verdict verdict : all_verdicts)
    if (sum.count(verdict) > 0)
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", sum.count(verdict), name(verdict));
  if (words.empty()) words = "nothing judged";
  const bool trouble = !sum.unexpected.empty() || !sum.missed.empty() || !sum.overshot.empty() ||
                       sum.count(Verdict::error) > 0 || results.claims.empty() || results.suite.interrupted;
  const std::string left = "attest";
  const int first = width_of(left), second = width_of(words);
  const auto text = [](int x, int width, const std::string& content) {
    return fmt::format("<text x=\"{}\" y=\"14\" textLength=\"{}\">{}</text>", x + margin, width - 2 * margin,
                       escaped(content));
  };
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"20\" role=\"img\" aria-label=\"{1}: {2}\">\n"
      "<title>{1}: {2}</title>\n<rect width=\"{3}\" height=\"20\" fill=\"#444\"/>"
      "<rect x=\"{3}\" width=\"{4}\" height=\"20\" fill=\"{5}\"/>\n"
      "<g fill=\"#fff\" font-family=\"Verdana, DejaVu Sans, sans-serif\" font-size=\"11\">{6}{7}</g>\n</svg>\n",
      first + second, left, escaped(words), first, second, trouble ? "#a8281f" : "#1c6b45", text(0, first, left),
      text(first, second, words));
}

}  // namespace attest::reports
