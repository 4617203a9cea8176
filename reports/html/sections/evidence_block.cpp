#include <algorithm>

#include <fmt/format.h>

#include "reports/figures/inline_svg.hpp"
#include "reports/html/elements/elements.hpp"
#include "reports/html/elements/evidence_strip.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/record/evidence_lines.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/readable_tex.hpp"
#include "reports/text/terminal.hpp"

namespace attest::reports::html {
namespace {

std::string numbers_list(const std::vector<NamedText>& lines) {
  if (lines.empty()) return {};
  std::string html = "<ul class=\"numbers\">\n";
  // What does not fit beside its name in a column gets a line of its own.
  constexpr std::size_t column_characters = 36;
  for (const NamedText& line : lines) {
    const bool wide = display_width(line.name) + display_width(line.text) > column_characters;
    html +=
        fmt::format("<li{}>{} <b>{}</b></li>\n", wide ? " class=\"wide\"" : "", escaped(line.name), prose(line.text));
  }
  return html + "</ul>\n";
}

/// The same in plain lines: of many parts, boxes around each number would be most of a page.
std::string numbers_lines(const std::vector<NamedText>& lines) {
  if (lines.empty()) return {};
  std::string html = "<details class=\"exact\"><summary>Numbers</summary><p class=\"lines\">";
  for (const NamedText& line : lines)
    html += fmt::format("{}{}: {}", &line == &lines.front() ? "" : "\n", escaped(line.name), prose(line.text));
  return html + "</p></details>";
}

/// Parts that were judged on their own: each with its verdict and reason, its numbers folded away.
std::string parts_table(const std::vector<Part>& parts) {
  std::string html =
      "<table class=\"plain parts\"><thead><tr><th>Part</th><th>Verdict</th>"
      "<th>Why</th></tr></thead><tbody>\n";
  const std::string* above = nullptr;
  for (const Part& part : parts) {
    const std::string& reason = part.evidence.reason;
    const bool again = above != nullptr && *above == reason && reason.size() > 40;
    above = &reason;
    html += fmt::format("<tr><th>{}</th><td>{}</td><td>{}{}</td></tr>\n", prose(part.name),
                        part.verdict ? badge(*part.verdict) : "", again ? "As above." : sentence(reason),
                        numbers_lines(evidence_lines(part.evidence)));
  }
  return html + "</tbody></table>\n";
}

/// Configurations of one expectation: their numbers side by side.
std::string configurations_table(const std::vector<Part>& parts) {
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Configurations\"><table class=\"plain "
      "numbers-table\">"
      "<thead><tr><th>Configuration</th><th>Estimate</th><th>Interval</th>"
      "<th>Claimed</th><th>Samples</th><th>Would "
      "catch</th></tr></thead><tbody>\n";
  const auto cell = [](const std::optional<double>& value) { return value ? number(*value) : std::string("–"); };
  for (const Part& part : parts) {
    const Evidence& evidence = part.evidence;
    const std::string interval =
        evidence.interval ? fmt::format("[{}, {}]", number(evidence.interval->lower), number(evidence.interval->upper))
                          : "–";
    html +=
        fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", prose(part.name),
                    cell(evidence.estimate), interval, cell(evidence.bound),
                    evidence.samples ? readable_count(*evidence.samples) : "–", cell(evidence.smallest_discrepancy));
  }
  return html + "</tbody></table></div>\n";
}

bool has_verdicts(const std::vector<Part>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.verdict.has_value(); });
}

}  // namespace

std::string evidence_block(const Claim& claim) {
  const Evidence& evidence = claim.evidence;
  // The parts' intervals say all that the worst one of them would say alone.
  std::string html = forest_strip(evidence.parts);
  if (html.empty()) html = interval_strip(evidence);
  if (html.empty()) html = tightness_strip(evidence);
  html += numbers_list(evidence_lines(evidence));
  if (!evidence.parts.empty()) {
    html += has_verdicts(evidence.parts) ? parts_table(evidence.parts) : configurations_table(evidence.parts);
  }
  return html;
}

std::string figure_block(const Figure& figure, const Drawings& drawings) {
  const auto drawing = drawings.find(figure.name);
  if (drawing == drawings.end()) return {};
  const std::string description = readable_text(figure.title + (figure.title.empty() ? "" : ". ") + figure.caption +
                                                " " + figure.y.label + " against " + figure.x.label + ".");
  return fmt::format(
      "<figure id=\"figure-{0}\">{1}<figcaption>{2} <span class=\"files\"><a href=\"figures/{0}.svg\">SVG</a> "
      "<a href=\"figures/{0}.pdf\">PDF</a> <a href=\"figures/{0}.tex\">TikZ</a> <a "
      "href=\"figures/{0}.csv\">CSV</a></span></figcaption></figure>\n",
      escaped(figure.name), inline_svg(drawing->second, figure.name, description), prose(figure.caption));
}

}  // namespace attest::reports::html
