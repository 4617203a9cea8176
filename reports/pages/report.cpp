#include "reports/pages/report.hpp"

#include <functional>
#include <set>

#include <fmt/format.h>

#include "reports/figures/draw.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/html/page.hpp"
#include "reports/pages/sequence_figure.hpp"

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

using MakePage = std::function<std::string(const Results&, const html::Drawings&, const html::Katex&)>;

/// Draws the figures, which have names of their own, and writes the page around them.
WrittenReport write_illustrated(Results& illustrated, const std::filesystem::path& directory, const ReportTools& tools,
                                const MakePage& make_page) {
  WrittenReport written{directory / "report.html", {}};
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
  write_file_atomically(written.page, make_page(illustrated, drawings, katex));
  return written;
}

}  // namespace

WrittenReport write_report(const Results& results, const std::filesystem::path& directory, const ReportTools& tools) {
  Results illustrated = results;
  add_sequence_figures(illustrated);
  make_names_unique(illustrated);
  return write_illustrated(illustrated, directory, tools, html::page);
}

WrittenReport write_measurements(const Results& results, const std::filesystem::path& directory,
                                 const std::string& source, const ReportTools& tools) {
  Results illustrated = results;
  make_names_unique(illustrated);
  return write_illustrated(illustrated, directory, tools,
                           [&](const Results& all, const html::Drawings& drawings, const html::Katex& katex) {
                             return html::measurements_page(all, drawings, katex, source);
                           });
}

}  // namespace attest::reports
