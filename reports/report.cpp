#include "reports/report.hpp"

#include <set>

#include <fmt/format.h>

#include "reports/atomic_file.hpp"
#include "reports/figures/draw.hpp"
#include "reports/figures/sequence_figure.hpp"
#include "reports/html/page.hpp"

namespace attest::reports {
namespace {

/// Every figure of the document once; of several with one name, which a file name could not tell apart, the first.
std::vector<const Figure*> all_figures(const Results& results) {
  std::vector<const Figure*> figures;
  std::set<std::string> names;
  const auto add = [&](const std::vector<Figure>& more) {
    for (const Figure& figure : more) {
      if (names.insert(figure.name).second) figures.push_back(&figure);
    }
  };
  for (const Claim& claim : results.claims) {
    add(claim.evidence.figures);
    for (const Part& part : claim.evidence.parts) add(part.evidence.figures);
  }
  for (const Measurement& measurement : results.measurements) add(measurement.figures);
  return figures;
}

}  // namespace

WrittenReport write_report(const Results& results, const std::filesystem::path& directory, const ReportTools& tools) {
  WrittenReport written{directory / "report.html", {}};
  Results illustrated = results;
  add_sequence_figures(illustrated);
  DrawnFigures drawn = draw_figures(all_figures(illustrated), directory / "figures", tools.gnuplot);
  written.remarks = std::move(drawn.remarks);
  html::Drawings drawings;
  for (DrawnFigure& figure : drawn.figures) {
    if (!figure.svg.empty()) drawings.emplace(figure.name, std::move(figure.svg));
  }
  const html::Katex katex =
      html::load_katex(tools.katex_directories.empty() ? html::katex_directories() : tools.katex_directories);
  if (!katex.available()) {
    written.remarks.push_back(
        "formulas are shown as TeX source: KaTeX was not found; install libjs-katex and "
        "fonts-katex, or name its directory in ATTEST_KATEX, and run 'attest report' again");
  }
  write_file_atomically(written.page, html::page(illustrated, drawings, katex));
  return written;
}

}  // namespace attest::reports
