#include <cctype>

#include <fmt/format.h>

#include "reports/html/elements.hpp"
#include "reports/html/sections.hpp"
#include "reports/markup.hpp"

namespace attest::reports::html {
namespace {

/// Paragraphs are separated by empty lines.
std::string paragraphs(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    if (end != 0) html += "<p>" + prose(text.substr(0, end)) + "</p>\n";
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
  }
  return html;
}

/// Numbers, with or without an interval or a unit, are set to the right; words to the left.
bool is_numeric(std::string_view cell) {
  return !cell.empty() && (std::isdigit(static_cast<unsigned char>(cell[0])) != 0 ||
                           (cell.size() > 1 && std::string_view("-+.[(").find(cell[0]) != std::string_view::npos));
}

std::string table_block(const Table& table) {
  std::string html = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table class=\"data\">"
      "<caption>{}</caption><thead><tr>",
      escaped(table.caption), prose(table.caption));
  for (const std::string& column : table.columns) html += "<th scope=\"col\">" + prose(column) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string_view css_class = is_numeric(row[i]) ? " class=\"number\"" : "";
      html += i == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", css_class, prose(row[i]))
                     : fmt::format("<td{}>{}</td>", css_class, row[i].empty() ? "–" : prose(row[i]));
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace

std::string measurements_section(const Results& results, const Drawings& drawings) {
  if (results.measurements.empty()) return {};
  std::string html =
      "<section id=\"real-input\" aria-labelledby=\"real-input-title\">\n"
      "<h2 id=\"real-input-title\">On real input</h2>\n";
  for (const Measurement& measurement : results.measurements) {
    html += fmt::format("<article class=\"measurement\" id=\"measurement-{}\"><h3>{}</h3>\n{}", anchor(measurement.id),
                        prose(measurement.title), paragraphs(measurement.text));
    for (const Table& table : measurement.tables) html += table_block(table);
    std::string figures;
    for (const Figure& figure : measurement.figures) figures += figure_block(figure, drawings);
    if (!figures.empty()) html += "<div class=\"figures\">" + figures + "</div>\n";
    html += "</article>\n";
  }
  return html + "</section>\n";
}

}  // namespace attest::reports::html
