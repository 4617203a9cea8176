#include <algorithm>

#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/elements/fall_graph.hpp"
#include "reports/html/elements/page_names.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/record/dependencies.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

/// What is known of a statement apart from what it rests on, where its badge does not say all of it.
std::string own_ground(const Dependent& dependent) {
  if (stands_by_itself(*dependent.claim))
    return " <span class=\"ground\">stands on other grounds: its own check speaks for it</span>";
  if (dependent.claim->verdict == Verdict::refuted) return {};
  return dependent.held ? " <span class=\"ground\">held by what stands above it</span>"
                        : " <span class=\"ground\">left without this ground, and no check decides it</span>";
}

/// The statements reached through `parent`, as a list with their own below them.
std::string tree(const Results& results, const std::vector<Dependent>& dependents, const Claim* parent) {
  std::string items;
  for (const Dependent& dependent : dependents) {
    if (dependent.through != parent) continue;
    const Claim& claim = *dependent.claim;
    items += fmt::format("<li>{} <a href=\"{}\">{}</a>{}{}</li>\n", badge(claim.verdict), address(results, claim),
                         full_title(claim), own_ground(dependent), tree(results, dependents, &claim));
  }
  return items.empty() ? "" : "<ul class=\"falls\">\n" + items + "</ul>\n";
}

/// "5 printed statements rest on it: 2 directly, 3 through others; 1 of them stands on other grounds, and 2 rest on
/// such alone."
std::string counts(const std::vector<Dependent>& dependents) {
  const auto count = [&](auto has) { return std::count_if(dependents.begin(), dependents.end(), has); };
  const auto all = static_cast<std::int64_t>(dependents.size());
  const std::int64_t direct = count([](const Dependent& d) { return d.steps == 1; });
  const std::int64_t standing = count([](const Dependent& d) { return stands_by_itself(*d.claim); });
  const std::int64_t held = count([](const Dependent& d) { return d.held && !stands_by_itself(*d.claim); });
  std::string words = fmt::format("{} {} on it", counted(all, "printed statement"), all == 1 ? "rests" : "rest");
  if (direct < all) words += fmt::format(": {} directly, {} through others", direct, all - direct);
  if (standing > 0) {
    words += fmt::format("; {} of them {} on other grounds", standing, standing == 1 ? "stands" : "stand");
  }
  if (held > 0) words += fmt::format(", and {} {} on such alone", held, held == 1 ? "rests" : "rest");
  return "<p class=\"falls-count\">" + words + ".</p>\n";
}

std::string drawings(const Results& results, const std::string& paper) {
  std::string html;
  for (const FallGraph& graph : fall_graphs(results, paper)) html += fall_graph_drawing(graph);
  if (html.empty()) return {};
  return "<figure class=\"falls-figure\">\n" + html +
         "<figcaption>An arrow leads from a statement to one that rests on it. Filled: refuted. Outlined: its own "
         "check speaks for it, so that its dashed arrows pull nothing down. Dashed outline: "
         "undecided.</figcaption></figure>\n";
}

struct PaperFalls {
  std::string trees;  ///< of the refuted statements that others rest on
  std::string alone;  ///< those that nothing printed rests on
  std::int64_t grounds = 0;
  std::int64_t refuted = 0;
};

PaperFalls falls_of(const Results& results, const std::string& paper) {
  PaperFalls falls;
  for (const Claim* root : refuted_as_printed(results)) {
    if (root->paper != paper) continue;
    ++falls.refuted;
    const std::vector<Dependent> dependents = dependents_of(results, *root);
    if (dependents.empty()) {
      falls.alone += (falls.alone.empty() ? "" : "; ") + claim_link(results, root->id);
      continue;
    }
    ++falls.grounds;
    falls.trees +=
        fmt::format("<article class=\"fall\"><h3>{} <a href=\"{}\">{}</a></h3>\n{}{}</article>\n", badge(root->verdict),
                    address(results, *root), full_title(*root), counts(dependents), tree(results, dependents, root));
  }
  return falls;
}

}  // namespace

std::string falls_section(const Results& results, const std::string& paper) {
  const PaperFalls falls = falls_of(results, paper);
  if (falls.grounds == 0) return {};
  std::string html = fmt::format(
      "<section id=\"falls\" aria-labelledby=\"falls-title\">\n<h2 id=\"falls-title\">What falls with what</h2>\n"
      "<p class=\"intro\">How far the paper's later statements depend on each refuted one: those that rest on it "
      "directly or through others. Each of them was judged by itself as well, and that verdict stands beside it: "
      "what its own check speaks for stands nevertheless, on other grounds than the paper's. Of {}, {} {}.</p>\n",
      counted(falls.refuted, "refuted printed statement"), falls.grounds,
      falls.grounds == 1 ? "carries others" : "carry others");
  html += drawings(results, paper) + falls.trees;
  if (!falls.alone.empty()) html += "<p class=\"note\">Nothing printed rests on: " + falls.alone + ".</p>\n";
  return html + "</section>\n";
}

}  // namespace attest::reports::html
