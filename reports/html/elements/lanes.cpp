#include "reports/html/elements/lanes.hpp"

#include <fmt/format.h>

#include "reports/html/elements/page_names.hpp"

namespace attest::reports::html {
namespace {

// In pixels; a mark is 18 of them high and its middle 15 below the row's upper edge (`.graph .square` in style.css).
constexpr int lane_step = 9;
constexpr int margin = 8;     ///< between the lanes and the marks
constexpr int joins_at = 12;  ///< the line that comes in
constexpr int leaves_at = 18;
constexpr int bend = 4;

std::string owned_by(const Claim& claim) {
  return fmt::format("class=\"{}\" data-lane-of=\"{}\"", name(claim.verdict), anchor(claim.id));
}

}  // namespace

int lanes_width(const StatementGraph& graph) { return static_cast<int>(graph.lanes) * lane_step + margin; }

std::string lanes_drawing(const StatementGraph& graph, const GraphRow& row) {
  const int width = lanes_width(graph);
  const auto x = [&](std::size_t lane) { return width - margin - static_cast<int>(lane) * lane_step; };
  std::string svg = fmt::format("<svg class=\"lanes\" width=\"{}\" aria-hidden=\"true\">", width);
  const auto line = [&](const Claim& owner, std::size_t lane, std::string_view from, std::string_view to) {
    svg += fmt::format("<line {} x1=\"{x}\" x2=\"{x}\" y1=\"{}\" y2=\"{}\"/>", owned_by(owner), from, to,
                       fmt::arg("x", x(lane)));
  };
  const std::string joins = std::to_string(joins_at);
  for (std::size_t lane = 0; lane < row.below.size(); ++lane) {
    const Claim* above = lane < row.above.size() ? row.above[lane] : nullptr;
    const Claim* below = row.below[lane];
    if (above != nullptr && above == below) {
      line(*above, lane, "0", "100%");
      continue;
    }
    if (above != nullptr) line(*above, lane, "0", joins);
    if (below != nullptr) {
      svg += fmt::format("<path {} d=\"M{},{}H{}q-{b},0 -{b},{b}\"/>", owned_by(*below), width, leaves_at,
                         x(lane) + bend, fmt::arg("b", bend));
      line(*below, lane, std::to_string(leaves_at + bend), "100%");
    }
  }
  for (const std::size_t lane : row.grounds) {
    const Claim& ground = *row.above[lane];
    svg += fmt::format("<path {} d=\"M{},{}H{}\"/><circle {} cx=\"{}\" cy=\"{}\" r=\"2.6\"/>", owned_by(ground),
                       x(lane), joins_at, width, owned_by(ground), x(lane), joins_at);
  }
  return svg + "</svg>";
}

}  // namespace attest::reports::html
