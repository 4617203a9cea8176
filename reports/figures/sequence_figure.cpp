#include "reports/figures/sequence_figure.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace attest::reports {
namespace {

bool all_positive(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
}

/// A claim's id as a file stem.
std::string file_stem(std::string id) {
  for (char& c : id) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  }
  return id;
}

void add_figure(Evidence& evidence, const std::string& name) {
  if (auto figure = sequence_figure(evidence, name)) evidence.figures.push_back(*std::move(figure));
}

}  // namespace

std::optional<Figure> sequence_figure(const Evidence& evidence, const std::string& name) {
  if (evidence.grid.size() < 2 || !evidence.figures.empty()) return std::nullopt;
  const bool growth = evidence.statistic.find("exponent") != std::string::npos;
  Figure figure;
  figure.name = name;
  figure.title = growth ? "Growth along the grid" : "Approach to the limit";
  figure.caption = growth ? "The ratio whose growth exponent is judged." : "The quantity whose limit is judged.";
  figure.x = {"n", all_positive(evidence.grid)};
  figure.y = {growth ? "ratio" : "value", growth && all_positive(evidence.ratio)};
  figure.series.push_back({"", evidence.grid, evidence.ratio, {}, {}, true, true});
  if (!growth && evidence.bound) {
    figure.reference_lines.push_back({"claimed", ReferenceLine::Across::y, *evidence.bound});
  }
  return figure;
}

void add_sequence_figures(Results& results) {
  for (Claim& claim : results.claims) {
    const std::string name = file_stem(claim.id) + "-sequence";
    add_figure(claim.evidence, name);
    for (std::size_t i = 0; i < claim.evidence.parts.size(); ++i) {
      add_figure(claim.evidence.parts[i].evidence, name + "-" + std::to_string(i + 1));
    }
  }
}

}  // namespace attest::reports
