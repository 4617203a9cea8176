#include "reports/html/elements/lanes.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace attest::reports::html {
namespace {

// In pixels; a mark is 18 of them high and its middle 15 below the row's upper edge (`.graph .square` in style.css).
constexpr int lane_step = 9;
constexpr int margin = 8;     ///< between the lanes and the marks
constexpr int joins_at = 12;  ///< the line that comes in
constexpr int leaves_at = 18;
constexpr int bend = 4;
constexpr int beyond_any_row = 999;  ///< cut off where the row ends

std::ptrdiff_t row_of(const StatementGraph& graph, const Claim& claim) {
  return std::ranges::find(graph.rows, &claim, &GraphRow::claim) - graph.rows.begin();
}

std::string owned_by(const StatementGraph& graph, const Claim& claim) {
  return fmt::format("class=\"{}\" data-lane-of=\"{}\"", name(claim.verdict), row_of(graph, claim));
}

}  // namespace

int lanes_width(const StatementGraph& graph) { return static_cast<int>(graph.lanes) * lane_step + margin; }

std::string lanes_drawing(const StatementGraph& graph, const GraphRow& row) {
  const int width = lanes_width(graph);
  const auto x = [&](std::size_t lane) { return width - margin - static_cast<int>(lane) * lane_step; };
  std::string svg;
  const auto path = [&](const Claim& owner, const std::string& d) {
    svg += fmt::format("<path {} d=\"{}\"/>", owned_by(graph, owner), d);
  };
  std::map<Verdict, std::string> passing;
  std::string owners;
  for (std::size_t lane = 0; lane < row.below.size(); ++lane) {
    const Claim* above = lane < row.above.size() ? row.above[lane] : nullptr;
    const Claim* below = row.below[lane];
    if (above != nullptr && above == below) {
      passing[above->verdict] += fmt::format("M{},0V{}", x(lane), beyond_any_row);
      owners += fmt::format("{}{}:{}", owners.empty() ? "" : " ", row_of(graph, *above), x(lane));
      continue;
    }
    if (above != nullptr) path(*above, fmt::format("M{},0V{}H{}", x(lane), joins_at, width));
    if (below != nullptr)
      path(*below, fmt::format("M{},{}H{}q-{b},0 -{b},{b}V{}", width, leaves_at, x(lane) + bend, beyond_any_row,
                               fmt::arg("b", bend)));
  }
  for (const std::size_t lane : row.grounds) {
    const Claim& ground = *row.above[lane];
    const bool goes_on = lane < row.below.size() && row.below[lane] == &ground;
    if (goes_on) path(ground, fmt::format("M{},{}H{}", x(lane), joins_at, width));
    svg += fmt::format("<circle {} cx=\"{}\" cy=\"{}\" r=\"2.6\"/>", owned_by(graph, ground), x(lane), joins_at);
  }
  for (const auto& [verdict, lines] : passing)
    svg = fmt::format("<path class=\"{}\" d=\"{}\"/>", name(verdict), lines) + svg;
  return fmt::format("<svg class=\"lanes\" width=\"{}\" aria-hidden=\"true\"{}>{}</svg>", width,
                     owners.empty() ? "" : " data-passing=\"" + owners + "\"", svg);
}

}  // namespace attest::reports::html
