#include <algorithm>

#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/elements/page_names.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

std::string note(const Results& results, const Claim& claim) {
  return claim.note.empty() ? "" : "<p class=\"note\">" + remark(results, claim.note) + "</p>\n";
}

/// Verdict and formula beside each other, then what is assumed.
std::string said(const Results& results, std::string_view heading, const Claim& claim) {
  std::string html =
      fmt::format("<div class=\"said\"><p class=\"side-head\"><span>{}</span> <a href=\"{}\">{}</a></p>{}</div>\n",
                  heading, address(results, claim), badge(claim.verdict), display_formula(claim.statement));
  // The printed statement's title stands above both sides.
  if (!claim.printed) html += fmt::format("<p class=\"side-title\">{}</p>\n", sentence(claim.title));
  if (claim.assumptions.empty()) return html;
  html += "<ul class=\"assumptions\">";
  for (const std::string& assumption : claim.assumptions) html += "<li>" + sentence(assumption) + "</li>";
  return html + "</ul>\n";
}

/// "4 printed statements rest on it: Eq 3, Eq 4, ..."
std::string what_falls(const Results& results, const std::vector<Dependent>& dependents) {
  if (dependents.empty()) return {};
  constexpr std::size_t most = 8;
  const auto count = static_cast<std::int64_t>(dependents.size());
  std::string html = fmt::format("<p class=\"falls-count\">{} {} on it: ", counted(count, "printed statement"),
                                 count == 1 ? "rests" : "rest");
  for (std::size_t i = 0; i < std::min(most, dependents.size()); ++i)
    html += (i == 0 ? "" : ", ") + claim_link(results, dependents[i].claim->id);
  if (dependents.size() > most) html += fmt::format(" and {} more", dependents.size() - most);
  return html + ".</p>\n";
}

std::vector<const Claim*> standing_first(std::vector<const Claim*> claims) {
  std::stable_partition(claims.begin(), claims.end(), [](const Claim* claim) { return stands_by_itself(*claim); });
  return claims;
}

/// Whether a formula is too long for half a sheet of paper; its source is about four times as long as what is set.
bool is_wide(const Erratum& erratum) {
  constexpr std::size_t longest = 240;
  const auto too_long = [](const Claim* claim) { return claim->statement.size() > longest; };
  return too_long(erratum.printed) || std::any_of(erratum.amendments.begin(), erratum.amendments.end(), too_long);
}

}  // namespace

std::string erratum_article(const Results& results, const Erratum& erratum, const std::string& id) {
  const Claim& printed = *erratum.printed;
  const std::string finding =
      printed.finding.empty() ? "" : fmt::format("<span class=\"finding\">{}</span> ", prose(printed.finding));
  std::string html = fmt::format(
      "<article class=\"erratum{}\"{} {}><h4>{}<a href=\"{}\">{}</a> <span class=\"tag\">{}</span></h4>\n"
      "<div class=\"sides-by-side\">\n<div class=\"side\">{}",
      is_wide(erratum) ? " wide" : "", id.empty() ? "" : " id=\"" + id + "\"", item_attributes(printed), finding,
      address(results, printed), full_title(printed), prose(printed.paper), said(results, "Printed", printed));
  if (!printed.finding.empty() || printed.verdict == Verdict::refuted) html += counterexample_block(printed);
  html += source_of_check(printed);
  html += note(results, printed) + what_falls(results, erratum.dependents) + "</div>\n";
  if (!erratum.amendments.empty()) html += "<div class=\"side\">";
  for (const Claim* amendment : standing_first(erratum.amendments)) {
    const bool falls = amendment->verdict == Verdict::refuted;
    html += said(results, falls ? "Not so either" : "Amended", *amendment) + note(results, *amendment) +
            source_of_check(*amendment);
  }
  if (!erratum.amendments.empty()) html += "</div>\n";
  return html + "</div></article>\n";
}

}  // namespace attest::reports::html
