#include "reports/html/page.hpp"

#include <fmt/format.h>

#include "reports/html/elements/page_names.hpp"
#include "reports/html/page_frame.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

constexpr std::string_view motto = "A numerical referee for the theory of attention";
constexpr std::string_view source = "results.json";

std::string item(std::string_view target, std::string_view words) {
  return fmt::format("<a href=\"{}\">{}</a>", target, words);
}

/// The way to all pages; then the sections of this one.
std::string navigation(const Results& results, const std::string& sections) {
  std::string html = item("report.html#summary", "Summary") + item(errata_page_name, "Errata");
  for (const Paper& paper : results.papers) html += item(paper_page_name(results, paper.key), escaped(paper.key));
  if (!results.measurements.empty()) html += item(measurements_page_name, "Real input");
  return html + sections;
}

Page index_page(const Results& results, const Katex& katex) {
  Frame frame{std::string(index_page_name),
              counted(static_cast<std::int64_t>(results.claims.size()), "statement") + " judged",
              "Attest",
              std::string(motto),
              navigation(results, item("#statements", "All statements") + item("#how-to-read", "How to read")),
              std::string(source)};
  const std::string content = summary_section(results) + findings_section(results) + papers_section(results) +
                              verdict_section(results) + run_section(results) + glossary_section();
  return {frame.file, framed(frame, content, results, katex)};
}

Page errata_page(const Results& results, const Katex& katex) {
  const Frame frame{
      std::string(errata_page_name),
      "errata",
      "Errata",
      "Printed statements that do not hold as they stand, each with its counterexample and, where one was "
      "found, what holds instead, judged like any other statement",
      navigation(results, ""),
      std::string(source)};
  return {frame.file, framed(frame, errata_list(results), results, katex)};
}

Page paper_page(const Results& results, const Paper& paper, const Drawings& drawings, const Katex& katex) {
  const std::string graph = graph_section(results, paper.key), falls = falls_section(results, paper.key);
  const Frame frame{paper_page_name(results, paper.key),
                    paper.title,
                    "<cite>" + escaped(paper.title) + "</cite>",
                    paper_in_words(results, paper.key),
                    navigation(results, item("#statements", "Statements") +
                                            (graph.empty() ? "" : item("#graph", "What rests on what")) +
                                            (falls.empty() ? "" : item("#falls", "What falls"))),
                    std::string(source)};
  const std::string errata = fmt::format("<p><a href=\"{}?paper={}\">The errata of this paper</a></p>\n",
                                         errata_page_name, query_value(paper.key));
  return {frame.file,
          framed(frame, errata + statements_section(results, drawings, paper.key) + graph + falls, results, katex)};
}

}  // namespace

std::vector<Page> pages(const Results& results, const Drawings& drawings, const Katex& katex) {
  std::vector<Page> all = {index_page(results, katex), errata_page(results, katex)};
  for (const Paper& paper : results.papers) all.push_back(paper_page(results, paper, drawings, katex));
  if (!results.measurements.empty()) {
    const Frame frame{std::string(measurements_page_name),
                      "on real input",
                      "On real input",
                      "The statements' quantities on attention over real data",
                      navigation(results, ""),
                      std::string(source)};
    all.push_back({frame.file, framed(frame, measurements_section(results, drawings), results, katex)});
  }
  return all;
}

std::string measurements_page(const Results& results, const Drawings& drawings, const Katex& katex,
                              const std::string& made_from) {
  const std::string title = results.measurements.empty() ? "" : results.measurements.front().title;
  const Frame frame{std::string(index_page_name), title, "Attest", std::string(motto), "", made_from};
  std::string content;
  for (const Measurement& measurement : results.measurements) content += measurement_article(measurement, drawings);
  return framed(frame, content, results, katex);
}

}  // namespace attest::reports::html
