#include "reports/html/page.hpp"

#include <fmt/format.h>

#include "reports/html/assets.hpp"
#include "reports/html/elements/elements.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

std::string head(const Results& results, const std::string& title, const Katex& katex) {
  return fmt::format(
      "<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"Attest {}\">\n"
      "<title>{}</title>\n<style>{}\n{}</style>\n</head>\n",
      escaped(results.suite.version), escaped(title), katex.style, style_sheet());
}

std::string navigation(const std::string& errata, const std::string& falls, const std::string& measurements) {
  std::string html = R"(<nav aria-label="Sections"><a href="#summary">Summary</a><a href="#verdicts">Verdicts</a>)";
  if (!errata.empty()) html += "<a href=\"#errata\">Errata</a>";
  if (!falls.empty()) html += "<a href=\"#falls\">What falls</a>";
  html += "<a href=\"#statements\">Statements</a>";
  if (!measurements.empty()) html += "<a href=\"#real-input\">Real input</a>";
  return html + "<a href=\"#how-to-read\">How to read</a></nav>\n";
}

std::string remark_without(const Katex& katex) {
  if (katex.available()) return {};
  return "<p class=\"warning\">Formulas are shown as TeX source: KaTeX was not found when this page was written.</p>\n";
}

std::string scripts(const Katex& katex) {
  std::string html;
  if (katex.available()) html += "<script>" + katex.script + "</script>\n";
  return html + "<script>" + std::string(script()) + "</script>\n";
}

/// The end of a page that was made from the file `source` beside it.
std::string foot(const Results& results, const std::string& source, const Katex& katex) {
  return fmt::format("</main>\n<footer><p>Written by Attest {} from <a href=\"{}\">{}</a>.</p></footer>\n",
                     escaped(results.suite.version), escaped(source), escaped(source)) +
         scripts(katex) + "</body>\n</html>\n";
}

}  // namespace

std::string page(const Results& results, const Drawings& drawings, const Katex& katex) {
  const std::string errata = errata_section(results);
  const std::string falls = falls_section(results);
  const std::string measurements = measurements_section(results, drawings);
  const std::string title =
      "Attest: " + counted(static_cast<std::int64_t>(results.claims.size()), "statement") + " judged";
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n" + head(results, title, katex);
  html +=
      "<body>\n<a class=\"skip\" href=\"#verdicts\">Skip to the verdicts</a>\n"
      "<header><h1>Attest</h1><p>A numerical referee for the theory of attention</p></header>\n";
  html += navigation(errata, falls, measurements) + "<main>\n" + summary_section(results);
  html += remark_without(katex);
  html += verdict_section(results) + errata + falls + statements_section(results, drawings) + measurements +
          glossary_section();
  return html + foot(results, "results.json", katex);
}

std::string measurements_page(const Results& results, const Drawings& drawings, const Katex& katex,
                              const std::string& source) {
  const std::string title = results.measurements.empty() ? "" : results.measurements.front().title;
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n" + head(results, "Attest: " + title, katex);
  html += "<body>\n<header><h1>Attest</h1><p>A numerical referee for the theory of attention</p></header>\n<main>\n";
  html += remark_without(katex);
  for (const Measurement& measurement : results.measurements) html += measurement_article(measurement, drawings);
  return html + foot(results, source, katex);
}

}  // namespace attest::reports::html
