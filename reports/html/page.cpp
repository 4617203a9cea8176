#include "reports/html/page.hpp"

#include <fmt/format.h>

#include "reports/html/assets.hpp"
#include "reports/html/elements.hpp"
#include "reports/markup.hpp"
#include "reports/numbers.hpp"

namespace attest::reports::html {
namespace {

std::string head(const Results& results, const Katex& katex) {
  const std::string title =
      "Attest: " + counted(static_cast<std::int64_t>(results.claims.size()), "statement") + " judged";
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

std::string scripts(const Katex& katex) {
  std::string html;
  if (katex.available()) html += "<script>" + katex.script + "</script>\n";
  return html + "<script>" + std::string(script()) + "</script>\n";
}

}  // namespace

std::string page(const Results& results, const Drawings& drawings, const Katex& katex) {
  const std::string errata = errata_section(results);
  const std::string falls = falls_section(results);
  const std::string measurements = measurements_section(results, drawings);
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n" + head(results, katex);
  html +=
      "<body>\n<a class=\"skip\" href=\"#verdicts\">Skip to the verdicts</a>\n"
      "<header><h1>Attest</h1><p>A numerical referee for the theory of attention</p></header>\n";
  html += navigation(errata, falls, measurements) + "<main>\n" + summary_section(results);
  if (!katex.available()) {
    html +=
        "<p class=\"warning\">Formulas are shown as TeX source: KaTeX was not found when this page was written.</p>\n";
  }
  html += verdict_section(results) + errata + falls + statements_section(results, drawings) + measurements +
          glossary_section();
  html += fmt::format(
      "</main>\n<footer><p>Written by Attest {} from <a href=\"results.json\">results.json</a>.</p></footer>\n",
      escaped(results.suite.version));
  return html + scripts(katex) + "</body>\n</html>\n";
}

}  // namespace attest::reports::html
