#include "reports/html/page_frame.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/html/assets.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/search_words.hpp"

namespace attest::reports::html {
namespace {

/// The synonyms of the search for script.js. They are ours, so nothing in them ends the script.
std::string synonyms_script() {
  nlohmann::json kinds = nlohmann::json::array();
  for (const Synonyms& kind : all_synonyms()) kinds.push_back(nlohmann::json(kind));
  return fmt::format("<script>const attestSynonyms = {}, attestLabelKinds = {};</script>\n", kinds.dump(),
                     label_kinds());
}

std::string without_own_name(std::string html, const std::string& file) {
  const std::string from = "href=\"" + file + "#", to = "href=\"#";
  for (std::size_t at = html.find(from); at != std::string::npos; at = html.find(from, at + to.size()))
    html.replace(at, from.size(), to);
  return html;
}

}  // namespace

std::string framed(const Frame& frame, const std::string& content, const Results& results, const Katex& katex) {
  const std::string version = escaped(results.suite.version);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"Attest {}\">\n"
      "<title>Attest: {}</title>\n<style>{}\n{}</style>\n</head>\n<body>\n",
      version, escaped(frame.title), katex.style_for(content), style_sheet());
  if (!frame.navigation.empty()) html += "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n";
  html += fmt::format("<header><h1>{}</h1><p>{}</p></header>\n", frame.heading, frame.subheading);
  if (!frame.navigation.empty())
    html += fmt::format("<nav aria-label=\"Pages\">{}</nav>\n", without_own_name(frame.navigation, frame.file));
  html += "<main id=\"content\">\n";
  if (!katex.available())
    html +=
        "<p class=\"warning\">Formulas are shown as TeX source: KaTeX was not found when this page was written.</p>\n";
  html += without_own_name(content, frame.file);
  html += fmt::format("</main>\n<footer><p>Written by Attest {} from <a href=\"{}\">{}</a>.</p></footer>\n", version,
                      escaped(frame.source), escaped(frame.source));
  if (katex.available()) html += "<script>" + katex.script + "</script>\n";
  return html + synonyms_script() + "<script>" + std::string(script()) + "</script>\n</body>\n</html>\n";
}

}  // namespace attest::reports::html
