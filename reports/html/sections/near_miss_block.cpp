#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/elements/evidence_strip.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/record/totals.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

/// Here it is the refuted ones that went well: only the others get the verdict's colour.
std::string verdict_cell(const NearMiss& miss) {
  if (!miss.verdict) return "<span class=\"ok\">not judged</span>";
  if (!miss.caught) return badge(*miss.verdict);
  return miss.verdict == Verdict::refuted ? "<span class=\"ok\">✓ refuted</span>"
                                          : "<span class=\"ok\">✓ against the trend</span>";
}

/// The planted error, and the parts of the statement that fell with it.
std::string planted(const NearMiss& miss) {
  std::string words = prose(miss.name);
  std::string separator = " (in ";
  for (const std::string& part : miss.parts) {
    if (part.empty()) continue;
    words += separator + prose(part);
    separator = ", ";
  }
  return separator == ", " ? words + ")" : words;
}

// A check of text plants a hundred and more; a page with all of them would be mostly these.
constexpr std::size_t most_caught = 8;

/// All near-misses that were not caught, and of the others those with the smallest errors; document order.
std::vector<const NearMiss*> worth_a_row(const Claim& claim) {
  std::vector<const NearMiss*> caught, shown;
  for (const NearMiss& miss : claim.near_misses)
    if (miss.caught) caught.push_back(&miss);
  const auto size = [](const NearMiss* miss) { return miss->delta.value_or(1.0); };
  std::stable_sort(caught.begin(), caught.end(),
                   [&](const NearMiss* a, const NearMiss* b) { return size(a) < size(b); });
  if (caught.size() > most_caught) caught.resize(most_caught);
  for (const NearMiss& miss : claim.near_misses) {
    if (!miss.caught || std::find(caught.begin(), caught.end(), &miss) != caught.end()) shown.push_back(&miss);
  }
  return shown;
}

}  // namespace

std::string near_miss_block(const Claim& claim) {
  const NearMissCounts counts = near_misses_of(claim);
  std::string html = counts.judged == 0 ? "<p>Planted, but not judged in this run"
                                        : fmt::format("<p>By the same check {}", in_words(counts));
  if (const auto caught = smallest_caught(claim)) {
    html += fmt::format("; the smallest error caught is <b>{}</b>", number(caught->delta));
  }
  html += ".</p>\n" + (counts.judged == 0 ? std::string() : near_miss_strip(claim));
  html +=
      "<table class=\"plain near-misses\"><thead><tr><th scope=\"col\">Planted error</th><th scope=\"col\">Size</th>"
      "<th scope=\"col\">Verdict</th><th scope=\"col\">Why</th></tr></thead><tbody>\n";
  const std::vector<const NearMiss*> rows = worth_a_row(claim);
  for (const NearMiss* miss : rows) {
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n", planted(*miss),
                        prose(miss->delta_text), verdict_cell(*miss), sentence(miss->reason));
  }
  html += "</tbody></table>\n";
  const std::size_t others = claim.near_misses.size() - rows.size();
  if (others > 0)
    html += fmt::format(
        "<p class=\"note\">And {} more, with errors no smaller and all caught; <a "
        "href=\"results.json\">results.json</a> "
        "has them.</p>\n",
        others);
  return html;
}

std::string near_hit_block(const Claim& claim) {
  std::string html =
      "<table class=\"plain near-misses\"><thead><tr><th scope=\"col\">Weaker statement</th><th "
      "scope=\"col\">Distance</th><th scope=\"col\">Verdict</th><th scope=\"col\">Why</th></tr></thead><tbody>\n";
  for (const NearMiss& hit : claim.near_hits) {
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n", prose(hit.name),
                        prose(hit.delta_text), hit.verdict ? badge(*hit.verdict) : "not judged", sentence(hit.reason));
  }
  return html + "</tbody></table>\n";
}

}  // namespace attest::reports::html
