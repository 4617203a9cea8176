#include "reports/html/elements/fall_graph.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/text/greek.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/readable_tex.hpp"
#include "reports/text/relations.hpp"
#include "reports/text/terminal.hpp"

namespace attest::reports::html {
namespace {

// In pixels of a drawing as wide as a small telephone's column.
constexpr int drawing_width = 360;
constexpr int column = 78;  ///< where the marks stand; the arcs fill what is left of it
constexpr int radius = 5;
constexpr int line_height = 15;
constexpr int gap = 9;  ///< between statements
/// Characters of a label's line, and lines of a label.
constexpr std::size_t label_columns = 41;
constexpr std::size_t label_lines = 2;

/// The words and signs that stand for mathematics in a label, as one letter or sign each: a drawing has no indices.
std::string with_symbols(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end > at) {
      const std::string_view word = text.substr(at, end - at);
      const std::string_view letter = word == "sqrt" ? "√" : word == "asymp" ? "≍" : greek_letter(word);
      result += letter.empty() ? word : letter;
      at = end;
      if (word == "sqrt" && at < text.size() && text[at] == ' ') ++at;
      continue;
    }
    if (const std::string_view sign = sign_typed(text.substr(at, 2)); !sign.empty()) {
      result += sign;
      at += 2;
    } else {
      result += text[at++];
    }
  }
  return result;
}

std::vector<std::string> lines_of_label(const Claim& claim) {
  std::vector<std::string> lines = wrapped(with_symbols(readable_text(claim.label)), label_columns);
  if (lines.size() > label_lines) {
    for (std::size_t i = label_lines; i < lines.size(); ++i) lines[label_lines - 1] += " " + lines[i];
    lines.resize(label_lines);
  }
  for (std::string& line : lines) line = cut_to(line, label_columns);
  return lines;
}

std::string node(const Claim& claim, const std::vector<std::string>& lines, int y) {
  std::string words;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    words += fmt::format("<tspan x=\"{}\" y=\"{}\">{}</tspan>", column + 3 * radius,
                         y + 4 + static_cast<int>(i) * line_height, escaped(lines[i]));
  }
  return fmt::format("<g class=\"node {}\"><circle cx=\"{}\" cy=\"{}\" r=\"{}\"/><text>{}</text></g>\n",
                     name(claim.verdict), column, y, radius, words);
}

/// From the mark at height `from` to the one at `to`, bulging the more the farther apart they are; `held` when it
/// starts at a statement that stands by itself.
std::string arc(int from, int to, bool held) {
  const int start = column - radius;
  const int tip = start - 1;
  // A cubic's bulge is three quarters of its control points' distance.
  const int reach = std::min(4 * (start - 3) / 3, 16 + (to - from) / 4);
  return fmt::format(
      "<path class=\"arc{6}\" d=\"M{0},{1}C{2},{1} {2},{3} {4},{3}\"/><path class=\"tip\" "
      "d=\"M{5},{3}l-6,-3.2v6.4z\"/>\n",
      start, from, start - reach, to, tip - 5, tip, held ? " held" : "");
}

}  // namespace

std::string fall_graph_drawing(const FallGraph& graph) {
  std::vector<int> heights;
  std::string nodes, arcs;
  int y = line_height / 2 + 2;
  for (const Claim* claim : graph.nodes) {
    const std::vector<std::string> lines = lines_of_label(*claim);
    heights.push_back(y);
    nodes += node(*claim, lines, y);
    y += static_cast<int>(lines.size()) * line_height + gap;
  }
  for (const Edge& edge : graph.edges)
    arcs += arc(heights[edge.ground], heights[edge.dependent], stands_by_itself(*graph.nodes[edge.ground]));
  return fmt::format(
      "<svg class=\"falls-graph\" viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}, {3} between them; the tree "
      "below says the same\">\n{4}{5}</svg>\n",
      drawing_width, y - gap + 2, counted(static_cast<std::int64_t>(graph.nodes.size()), "statement"),
      counted(static_cast<std::int64_t>(graph.edges.size()), "arrow"), arcs, nodes);
}

}  // namespace attest::reports::html
