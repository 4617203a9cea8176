#include "reports/pages/sequence_figure.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace attest::reports {
namespace {

/// More names than this crowd the drawing out of its own frame.
constexpr std::size_t most_named_series = 6;

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

struct Sequence {
  std::string name;
  const Evidence* evidence;
};

std::vector<Sequence> sequences_of(const Evidence& evidence) {
  std::vector<Sequence> sequences;
  if (evidence.grid.size() > 1) sequences.push_back({"", &evidence});
  for (const Part& part : evidence.parts) {
    if (part.evidence.grid.size() > 1 && part.evidence.figures.empty()) {
      sequences.push_back({part.name, &part.evidence});
    }
  }
  return sequences;
}

}  // namespace

std::optional<Figure> sequence_figure(const Evidence& evidence, const std::string& name) {
  const std::vector<Sequence> sequences = sequences_of(evidence);
  if (sequences.empty() || !evidence.figures.empty()) return std::nullopt;
  const auto all = [&](auto condition) { return std::all_of(sequences.begin(), sequences.end(), condition); };
  const Evidence& first = *sequences.front().evidence;
  const bool growth =
      all([](const Sequence& s) { return s.evidence->statistic.find("exponent") != std::string::npos; });
  const bool same_claim = all([&](const Sequence& s) { return s.evidence->bound == first.bound; });
  const bool relative =
      !growth && !same_claim && all([](const Sequence& s) { return s.evidence->bound.value_or(0.0) != 0.0; });
  Figure figure;
  figure.name = name;
  figure.caption = growth ? "The quantity whose growth exponent is judged." : "The quantity whose limit is judged.";
  figure.x = {"n", all([](const Sequence& s) { return all_positive(s.evidence->grid); })};
  figure.y = {relative ? "value / claimed value" : "value",
              growth && all([](const Sequence& s) { return all_positive(s.evidence->ratio); })};
  for (const Sequence& sequence : sequences) {
    Series series{sequences.size() > most_named_series ? "" : sequence.name,
                  sequence.evidence->grid,
                  sequence.evidence->ratio,
                  {},
                  {},
                  true,
                  true};
    for (double& value : series.y) value /= relative ? *sequence.evidence->bound : 1.0;
    figure.series.push_back(std::move(series));
  }
  if (!growth && (relative || (same_claim && first.bound))) {
    figure.reference_lines.push_back({"claimed", ReferenceLine::Across::y, relative ? 1.0 : *first.bound});
  }
  return figure;
}

void add_sequence_figures(Results& results) {
  for (Claim& claim : results.claims) {
    if (auto figure = sequence_figure(claim.evidence, file_stem(claim.id) + "-sequence")) {
      claim.evidence.figures.push_back(*std::move(figure));
    }
  }
}

}  // namespace attest::reports
