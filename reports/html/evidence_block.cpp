#include <algorithm>

#include <fmt/format.h>

#include "reports/evidence_lines.hpp"
#include "reports/figures/inline_svg.hpp"
#include "reports/html/elements.hpp"
#include "reports/html/evidence_strip.hpp"
#include "reports/html/sections.hpp"
#include "reports/markup.hpp"
#include "reports/readable_tex.hpp"
#include "reports/terminal.hpp"

namespace attest::reports::html {
namespace {

std::string numbers_list(const std::vector<NamedText>& lines) {
  if (lines.empty()) return {};
  std::string html = "<dl class=\"numbers\">\n";
  // What does not fit beside its name in a column gets a line of its own.
  constexpr std::size_t column_characters = 36;
  for (const NamedText& line : lines) {
    const bool wide = display_width(line.name) + display_width(line.text) > column_characters;
    html += fmt::format("<div{}><dt>{}</dt><dd>{}</dd></div>\n", wide ? " class=\"wide\"" : "", escaped(line.name),
                        prose(line.text));
  }
  return html + "</dl>\n";
}

std::string part_evidence(const Evidence& evidence) {
  std::string html;
  for (const NamedText& line : evidence_lines(evidence)) {
    html += fmt::format("{}{} {}", html.empty() ? "" : "; ", escaped(line.name), prose(line.text));
  }
  return html;
}

std::string parts_table(const std::vector<Part>& parts) {
  std::string html =
      "<table class=\"plain parts\"><thead><tr><th scope=\"col\">Part</th><th scope=\"col\">Verdict</th>"
      "<th scope=\"col\">Why</th></tr></thead><tbody>\n";
  for (const Part& part : parts) {
    const std::string numbers = part_evidence(part.evidence);
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}{}</td></tr>\n", prose(part.name),
                        part.verdict ? badge(*part.verdict) : "", sentence(part.evidence.reason),
                        numbers.empty() ? "" : "<span class=\"small\">" + numbers + "</span>");
  }
  return html + "</tbody></table>\n";
}

}  // namespace

std::string evidence_block(const Evidence& evidence) {
  // The parts' intervals say all that the worst one of them would say alone.
  std::string html = forest_strip(evidence.parts);
  if (html.empty()) html = evidence.interval ? interval_strip(evidence) : tightness_strip(evidence);
  html += numbers_list(evidence_lines(evidence));
  if (!evidence.parts.empty()) html += parts_table(evidence.parts);
  return html;
}

std::string figure_block(const Figure& figure, const Drawings& drawings) {
  const auto drawing = drawings.find(figure.name);
  if (drawing == drawings.end()) return {};
  const std::string description = readable_text(figure.title + ". " + figure.caption);
  return fmt::format(
      "<figure id=\"figure-{0}\">{1}<figcaption>{2} <span class=\"files\"><a href=\"figures/{0}.svg\">SVG</a> "
      "<a href=\"figures/{0}.pdf\">PDF</a></span></figcaption></figure>\n",
      escaped(figure.name), inline_svg(drawing->second, figure.name, description), prose(figure.caption));
}

}  // namespace attest::reports::html
