#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string_view>
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
  if (miss.verdict && !miss.caught) return "<td>" + badge(*miss.verdict) + "</td>";
  if (!miss.verdict) return "<td class=\"ok\">not judged</td>";
  return miss.verdict == Verdict::refuted ? "<td class=\"ok\">✓ refuted</td>"
                                          : "<td class=\"ok\">✓ against the trend</td>";
}

/// The planted error, and the parts of the statement that fell with it where its name does not begin with them.
std::string planted(const NearMiss& miss) {
  std::string words = prose(miss.name);
  std::string separator = " (in ";
  for (const std::string& part : miss.parts) {
    if (part.empty() || miss.name.starts_with(part + ": ")) continue;
    words += separator + prose(part);
    separator = ", ";
  }
  return separator == ", " ? words + ")" : words;
}

/// The planted errors of one row: alike but for the per cent in their names, the smallest first.
using Alike = std::vector<const NearMiss*>;

double size_of(const NearMiss* miss) { return miss->delta.value_or(1.0); }

/// The name with every "0.1 %" as " %": that of all sizes of one error.
std::string kind_of(const NearMiss& miss) {
  constexpr std::string_view unit = " %";
  std::string kind = miss.name;
  for (std::size_t at = kind.find(unit); at != std::string::npos; at = kind.find(unit, at + unit.size())) {
    std::size_t start = at;
    while (start > 0 && (std::isdigit(static_cast<unsigned char>(kind[start - 1])) != 0 || kind[start - 1] == '.'))
      --start;
    kind.erase(start, at - start);
    at = start;
  }
  for (const std::string& part : miss.parts) kind += '\n' + part;
  return kind;
}

// A check of text plants a hundred and more; a page with all of them would be mostly these.
constexpr std::size_t most_caught = 3;

/// A row for each near-miss that was not caught, and of the others one for each kind, those with the smallest errors;
/// in the order of the document.
std::vector<Alike> worth_a_row(const Claim& claim) {
  std::vector<Alike> rows, caught;
  std::map<std::string, std::size_t> places;
  for (const NearMiss& miss : claim.near_misses) {
    if (!miss.caught) {
      rows.push_back({&miss});
      continue;
    }
    const auto [place, is_new] = places.emplace(kind_of(miss), caught.size());
    if (is_new) caught.emplace_back();
    caught[place->second].push_back(&miss);
  }
  for (Alike& alike : caught) std::ranges::stable_sort(alike, {}, size_of);
  std::ranges::stable_sort(caught, {}, [](const Alike& alike) { return size_of(alike.front()); });
  if (caught.size() > most_caught) caught.resize(most_caught);
  rows.insert(rows.end(), caught.begin(), caught.end());
  // They stand in one vector, so that addresses tell which comes first.
  std::ranges::sort(rows, {}, [](const Alike& alike) { return alike.front(); });
  return rows;
}

/// "0.001, 0.01": each size once.
std::string sizes(const Alike& alike) {
  std::string words, last;
  for (const NearMiss* miss : alike) {
    if (miss->delta_text == last) continue;
    last = miss->delta_text;
    words += (words.empty() ? "" : ", ") + prose(last);
  }
  return words;
}

/// The reason without what it has in common with the one above it, where that is much: of a statement changed in one
/// place, that place.
std::string folded_reason(const std::string& reason, const std::string& above) {
  constexpr std::size_t worth_folding = 24;
  if (reason.find_first_of("$\\") != std::string::npos) return sentence(reason);
  const std::size_t most = std::min(reason.size(), above.size());
  std::size_t front = 0, back = 0;
  while (front < most && reason[front] == above[front]) ++front;
  while (back < most - front && reason[reason.size() - 1 - back] == above[above.size() - 1 - back]) ++back;
  // Whole words are kept, and the ends of brackets with what they close.
  front = front == 0 ? 0 : reason.rfind(' ', front - 1);
  const std::size_t end = reason.find(' ', reason.size() - back);
  const bool fold_front = front != std::string::npos && front > worth_folding;
  const bool fold_back = end != std::string::npos && reason.size() - end > worth_folding;
  if (!fold_front && !fold_back) return sentence(reason);
  const std::size_t from = fold_front ? front : 0, to = fold_back ? end : reason.size();
  return prose((fold_front ? "…" : "") + reason.substr(from, to - from) + (fold_back ? " …" : "."));
}

/// The drawing of sizes and what was caught, where something was missed or the sizes are many; else the sizes in words.
std::string sizes_judged(const Claim& claim) {
  constexpr std::size_t most_in_words = 8;
  std::map<double, std::int64_t> caught;
  bool all_caught = true;
  for (const NearMiss& miss : claim.near_misses) {
    if (!miss.verdict) continue;
    all_caught = all_caught && miss.caught;
    // Sizes that read alike are one.
    if (miss.delta && *miss.delta != 0) ++caught[std::strtod(readable_number(std::abs(*miss.delta)).c_str(), nullptr)];
  }
  if (!all_caught || caught.size() > most_in_words) return near_miss_strip(claim);
  if (caught.size() < 2) return {};
  std::string words;
  for (const auto& [size, count] : caught)
    words += fmt::format("{}{} of {}", words.empty() ? "" : ", ", count, number(size));
  return "<p>Sizes: " + words + ".</p>\n";
}

}  // namespace

std::string near_miss_block(const Claim& claim) {
  const NearMissCounts counts = near_misses_of(claim);
  std::string html = counts.judged == 0 ? "<p>Planted, but not judged in this run"
                                        : fmt::format("<p>By the same check {}", in_words(counts));
  if (const auto caught = smallest_caught(claim)) {
    html += fmt::format("; the smallest error caught is <b>{}</b>", number(caught->delta));
  }
  html += ".</p>\n" + (counts.judged == 0 ? std::string() : sizes_judged(claim));
  html +=
      "<table class=\"plain near-misses\"><thead><tr><th>Planted error</th><th>Sizes</th>"
      "<th>Verdict</th><th>Why</th></tr></thead><tbody>\n";
  std::size_t shown = 0;
  std::string above;
  for (const Alike& alike : worth_a_row(claim)) {
    const NearMiss& smallest = *alike.front();
    html += fmt::format("<tr><th>{}</th><td>{}</td>{}<td>{}</td></tr>\n", planted(smallest), sizes(alike),
                        verdict_cell(smallest), folded_reason(smallest.reason, above));
    above = smallest.reason;
    shown += alike.size();
  }
  html += "</tbody></table>\n";
  const std::size_t others = claim.near_misses.size() - shown;
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
      "<table class=\"plain near-misses\"><thead><tr><th>Weaker "
      "statement</th><th>Distance</th><th>Verdict</th><th>Why</th></tr></thead><tbody>\n";
  for (const NearMiss& hit : claim.near_hits) {
    html += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n", prose(hit.name),
                        prose(hit.delta_text), hit.verdict ? badge(*hit.verdict) : "not judged", sentence(hit.reason));
  }
  return html + "</tbody></table>\n";
}

}  // namespace attest::reports::html
