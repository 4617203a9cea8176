#include "reports/figures/draw.hpp"

#include <fmt/format.h>

#include "reports/figures/data_extremes.hpp"
#include "reports/figures/figure_files.hpp"
#include "reports/figures/gnuplot_script.hpp"
#include "reports/figures/run_program.hpp"
#include "reports/files/atomic_file.hpp"

namespace attest::reports {
namespace {

using std::filesystem::path;

/// gnuplot writes here; only a finished drawing gets its final name.
path unfinished(const path& directory, const std::string& name, const char* ending) {
  return directory / fmt::format("{}.unfinished.{}", name, ending);
}

/// The content of a drawing, or nothing when it is absent or was cut off before its last line.
std::string finished_content(const path& file, std::string_view last) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {};
  std::string content = read_whole_file(file);
  return content.find(last, content.size() < 64 ? 0 : content.size() - 64) == std::string::npos ? "" : content;
}

std::string collect(const path& directory, const std::string& name) {
  const path svg_file = unfinished(directory, name, "svg");
  const path pdf_file = unfinished(directory, name, "pdf");
  std::string svg = finished_content(svg_file, "</svg>");
  const std::string pdf = finished_content(pdf_file, "%%EOF");
  if (!svg.empty()) write_file_atomically(directory / (name + ".svg"), svg);
  if (!pdf.empty()) write_file_atomically(directory / (name + ".pdf"), pdf);
  std::error_code ignored;
  std::filesystem::remove(svg_file, ignored);
  std::filesystem::remove(pdf_file, ignored);
  return svg;
}

std::string first_line(const std::string& text) {
  const std::size_t start = text.find_first_not_of(" \n");
  return start == std::string::npos ? "no message" : text.substr(start, text.find('\n', start) - start);
}

}  // namespace

DrawnFigures draw_figures(const std::vector<const Figure*>& figures, const path& directory, const std::string& program,
                          const FigureStyle& style) {
  DrawnFigures drawn;
  if (figures.empty()) return drawn;
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    throw IoError(fmt::format("cannot make the folder {}: {}; choose another", directory.string(), error.message()));
  }
  std::string script = gnuplot_preamble();
  int empty = 0;
  for (const Figure* figure : figures) {
    if (!has_drawable_points(*figure)) {
      ++empty;
      continue;
    }
    write_file_atomically(directory / (figure->name + ".tex"), figure_tikz(*figure, style));
    write_file_atomically(directory / (figure->name + ".csv"), figure_csv(*figure));
    script += gnuplot_script(*figure, style, unfinished(directory, figure->name, "svg").string(),
                             unfinished(directory, figure->name, "pdf").string());
  }
  const ProgramEnd end = run_program(program, script);
  int missing = 0;
  for (const Figure* figure : figures) {
    std::string svg = end.found ? collect(directory, figure->name) : "";
    if (svg.empty() && has_drawable_points(*figure)) ++missing;
    drawn.figures.push_back({figure->name, std::move(svg)});
  }
  if (!end.found) {
    drawn.remarks.push_back(
        fmt::format("figures are left out: {} was not found ({}); install gnuplot-nox and run "
                    "'attest report' again",
                    program, end.messages));
  } else if (missing > 0) {
    drawn.remarks.push_back(fmt::format("{} of {} figures could not be drawn: {} ended with status {} ({})", missing,
                                        figures.size(), program, end.status, first_line(end.messages)));
  }
  if (empty > 0) {
    drawn.remarks.push_back(fmt::format("{} of {} figures have no finite point to draw", empty, figures.size()));
  }
  return drawn;
}

}  // namespace attest::reports
