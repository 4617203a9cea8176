#include <cctype>

#include <fmt/format.h>

#include "reports/files/base64.hpp"
#include "reports/html/elements/elements.hpp"
#include "reports/html/elements/page_names.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/text/markup.hpp"

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
  const bool starts = !cell.empty() && (std::isdigit(static_cast<unsigned char>(cell[0])) != 0 ||
                                        (cell.size() > 1 && (cell[0] == '-' || cell[0] == '+' || cell[0] == '.')));
  return starts && cell.find_first_not_of("0123456789.e+-[], %±×∞") == std::string_view::npos;
}

/// A cell; a verdict is a badge, and an interval after an estimate goes on a line of its own, so that a table of many
/// columns stays narrow.
std::string cell_content(const std::string& cell) {
  if (const auto verdict = verdict_named(cell)) return badge(*verdict);
  const std::size_t interval = cell.find(" [");
  if (interval == std::string::npos || cell.back() != ']' || !is_numeric(cell)) return cell.empty() ? "–" : prose(cell);
  return prose(cell.substr(0, interval)) + "<span class=\"interval\">" + prose(cell.substr(interval + 1)) + "</span>";
}

std::string table_block(const Table& table, const std::string& id) {
  // A caption inside the table would be as wide as the table, not as the page.
  std::string html = fmt::format(
      "<p class=\"caption\" id=\"{0}\">{1}</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-labelledby=\"{0}\"><table class=\"data\" aria-labelledby=\"{0}\"><thead><tr>",
      id, prose(table.caption));
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const bool numeric = !table.rows.empty() && is_numeric(table.rows.front()[i]);
    html += fmt::format("<th scope=\"col\"{}>{}</th>", numeric ? " class=\"number\"" : "", prose(table.columns[i]));
  }
  html += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      html += fmt::format("<{0}{1}{2}>{3}</{0}>", i == 0 ? "th" : "td", i == 0 ? " scope=\"row\"" : "",
                          is_numeric(row[i]) ? " class=\"number\"" : "", cell_content(row[i]));
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string gallery_block(const Gallery& gallery) {
  std::string html = "<p class=\"caption\">" + prose(gallery.caption) + "</p>\n<div class=\"gallery\">\n";
  for (const Picture& picture : gallery.pictures)
    html +=
        fmt::format("<figure><img src=\"data:image/png;base64,{}\" alt=\"{}\"><figcaption>{}</figcaption></figure>\n",
                    base64(picture.png), escaped(picture.name), prose(picture.name));
  return html + "</div>\n";
}

}  // namespace

std::string measurement_article(const Measurement& measurement, const Drawings& drawings) {
  std::string html = fmt::format("<article class=\"measurement\" id=\"measurement-{}\"><h3>{}</h3>\n{}",
                                 anchor(measurement.id), prose(measurement.title), paragraphs(measurement.text));
  for (std::size_t i = 0; i < measurement.tables.size(); ++i)
    html += table_block(measurement.tables[i], fmt::format("table-{}-{}", anchor(measurement.id), i + 1));
  std::string figures;
  for (const Figure& figure : measurement.figures) figures += figure_block(figure, drawings);
  if (!figures.empty()) html += "<div class=\"figures\">" + figures + "</div>\n";
  for (const Gallery& gallery : measurement.galleries) html += gallery_block(gallery);
  return html + "</article>\n";
}

std::string measurements_section(const Results& results, const Drawings& drawings) {
  if (results.measurements.empty()) return {};
  std::string html =
      "<section id=\"real-input\" aria-labelledby=\"real-input-title\">\n"
      "<h2 id=\"real-input-title\">On real input</h2>\n";
  for (const Measurement& measurement : results.measurements) {
    html += measurement_article(measurement, drawings);
  }
  return html + "</section>\n";
}

}  // namespace attest::reports::html
