#include "reports/pages/report.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "reports/figures/draw.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/html/elements/page_names.hpp"
#include "reports/html/page.hpp"
#include "reports/pages/sequence_figure.hpp"
#include "reports/record/replay_command.hpp"
#include "reports/text/shell_word.hpp"

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

using MakePages = std::function<std::vector<html::Page>(const Results&, const html::Drawings&, const html::Katex&)>;

/// Pages of papers that an earlier run left and this one does not have would be taken for this run's.
void remove_other_pages(const std::filesystem::path& directory, const std::vector<html::Page>& pages) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(directory, none)) {
    const std::string name = entry.path().filename().string();
    const bool ours = name.starts_with("report-") && name.ends_with(".html");
    const auto is_new = [&](const html::Page& page) { return page.file == name; };
    if (ours && std::none_of(pages.begin(), pages.end(), is_new)) std::filesystem::remove(entry.path(), none);
  }
}

/// Draws the figures, which have names of their own, and writes the pages around them.
WrittenReport write_illustrated(Results& illustrated, const std::filesystem::path& directory, const ReportTools& tools,
                                const MakePages& make_pages) {
  WrittenReport written;
  DrawnFigures drawn = draw_figures(all_figures(illustrated), directory / "figures", tools.gnuplot, tools.figures);
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
        "fonts-katex, or name its folder in ATTEST_KATEX, and run 'attest report' again");
  }
  const std::vector<html::Page> pages = make_pages(illustrated, drawings, katex);
  for (const html::Page& page : pages) write_file_atomically(directory / page.file, page.html);
  remove_other_pages(directory, pages);
  written.page = directory / pages.front().file;
  return written;
}

}  // namespace

void locate_witnesses(Results& results, const std::filesystem::path& directory) {
  for (Claim& claim : results.claims) {
    if (!claim.witness || claim.witness->replay.empty()) continue;
    std::string& command = claim.witness->replay;
    const std::optional<ReplayCommand> stored = read_replay_command(std::exchange(command, {}));
    if (!stored) continue;
    const std::filesystem::path name = std::filesystem::path(stored->file).filename();
    // A point that something exists is a certificate, which is replayed like a counterexample.
    for (const char* folder : {"certificates", "witnesses"}) {
      const std::filesystem::path file = directory / folder / name;
      std::error_code none;
      if (std::filesystem::exists(file, none)) command = stored->program + shell_word(file.string()) + stored->paper;
    }
  }
}

WrittenReport write_report(const Results& results, const std::filesystem::path& directory, const ReportTools& tools) {
  Results illustrated = results;
  add_sequence_figures(illustrated);
  make_names_unique(illustrated);
  locate_witnesses(illustrated, directory);
  return write_illustrated(illustrated, directory, tools, html::pages);
}

WrittenReport write_measurements(const Results& results, const std::filesystem::path& directory,
                                 const std::string& source, const ReportTools& tools) {
  Results illustrated = results;
  make_names_unique(illustrated);
  return write_illustrated(
      illustrated, directory, tools, [&](const Results& all, const html::Drawings& drawings, const html::Katex& katex) {
        return std::vector<html::Page>{
            {std::string(html::index_page_name), html::measurements_page(all, drawings, katex, source)}};
      });
}

}  // namespace attest::reports
