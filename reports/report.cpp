#include "reports/report.hpp"

#include <set>

#include <fmt/format.h>

#include "reports/atomic_file.hpp"
#include "reports/figures/draw.hpp"
#include "reports/figures/sequence_figure.hpp"
#include "reports/html/page.hpp"

namespace attest::reports {
namespace {

template <class Visit>
void for_each_figure(Results& results, Visit visit) {
  for (Claim& claim : results.claims) {
    for (Figure& figure : claim.evidence.figures) visit(figure);
    for (Part& part : claim.evidence.parts) {
      for (Figure& figure : part.evidence.figures) visit(figure);
    }
  }
  for (Measurement& measurement : results.measurements) {
    for (Figure& figure : measurement.figures) visit(figure);
  }
}

/// Names are file names and ids: of several figures with one name, the later ones get a number.
void make_names_unique(Results& results) {
  std::set<std::string> names;
  for_each_figure(results, [&](Figure& figure) {
    const std::string name = figure.name;
    for (int copy = 2; !names.insert(figure.name).second; ++copy) figure.name = fmt::format("{}-{}", name, copy);
  });
}

std::vector<const Figure*> all_figures(Results& results) {
  std::vector<const Figure*> figures;
  for_each_figure(results, [&](Figure& figure) { figures.push_back(&figure); });
  return figures;
}

}  // namespace

WrittenReport write_report(const Results& results, const std::filesystem::path& directory, const ReportTools& tools) {
  WrittenReport written{directory / "report.html", {}};
  Results illustrated = results;
  add_sequence_figures(illustrated);
  make_names_unique(illustrated);
  DrawnFigures drawn = draw_figures(all_figures(illustrated), directory / "figures", tools.gnuplot);
  written.remarks = std::move(drawn.remarks);
  html::Drawings drawings;
  for (DrawnFigure& figure : drawn.figures) {
    if (!figure.svg.empty()) drawings.emplace(figure.name, std::move(figure.svg));
  }
  const html::Katex katex =
      html::load_katex(tools.katex_directories.empty() ? html::katex_directories() : tools.katex_directories);
  if (!katex.available()) {
    written.remarks.emplace_back(
        "formulas are shown as TeX source: KaTeX was not found; install libjs-katex and "
        "fonts-katex, or name its directory in ATTEST_KATEX, and run 'attest report' again");
  }
  write_file_atomically(written.page, html::page(illustrated, drawings, katex));
  return written;
}

}  // namespace attest::reports
