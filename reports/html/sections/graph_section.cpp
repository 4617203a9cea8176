#include <algorithm>

#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/elements/lanes.hpp"
#include "reports/html/elements/page_names.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/record/statement_graph.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

// A wider one leaves a telephone no room for words; the four papers need 16 at most.
constexpr std::size_t most_lanes = 24;

/// What the lanes say, for those who do not see them.
std::string in_words(const Results& results, const Claim& claim) {
  std::string grounds;
  for (const std::string& id : claim.depends_on) {
    if (const Claim* ground = find_claim(results, id))
      grounds += (grounds.empty() ? ", rests on " : ", ") + prose(ground->label);
  }
  const Claim* amended = claim.amends ? find_claim(results, *claim.amends) : nullptr;
  return fmt::format(", {}{}{}", name(claim.verdict), amended == nullptr ? "" : ", amends " + prose(amended->label),
                     grounds);
}

std::string item(const Results& results, const Claim& claim, const std::string& drawing) {
  return fmt::format(
      "<li data-node=\"{}\">{}<a href=\"{}\"><span class=\"square {} {}\" aria-hidden=\"true\">{}</span><span>{}<span "
      "class=\"unseen\">{}</span></span></a></li>\n",
      anchor(claim.id), drawing, address(results, claim), name(claim.verdict), claim.printed ? "printed" : "ours",
      symbol(claim.verdict), prose(claim.label), in_words(results, claim));
}

}  // namespace

std::string graph_section(const Results& results, const std::string& paper) {
  const StatementGraph graph = statement_graph(results, paper);
  if (graph.rows.empty() || graph.lanes > most_lanes) return {};
  std::string html = fmt::format(
      "<section id=\"graph\" aria-labelledby=\"graph-title\">\n<h2 id=\"graph-title\">What rests on what</h2>\n"
      "<p class=\"intro\">Each statement stands below what it rests on or amends. Its line runs down at the left, in "
      "the colour of its verdict; a dot shows where a statement below joins it. Square marks are the paper's "
      "statements, round ones ours.</p>\n<ol class=\"graph\" style=\"--lanes: {}px\">\n",
      lanes_width(graph));
  for (const GraphRow& row : graph.rows) html += item(results, *row.claim, lanes_drawing(graph, row));
  html += "</ol>\n";
  if (graph.isolated.empty()) return html + "</section>\n";
  html += fmt::format("<h3>{} without a line: on nothing here, and nothing here on {}</h3>\n<ul class=\"graph\">\n",
                      counted(static_cast<std::int64_t>(graph.isolated.size()), "statement"),
                      graph.isolated.size() == 1 ? "it" : "them");
  for (const Claim* claim : graph.isolated) html += item(results, *claim, "");
  return html + "</ul>\n</section>\n";
}

}  // namespace attest::reports::html
