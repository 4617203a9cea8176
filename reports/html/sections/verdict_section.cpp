#include <vector>

#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/elements/filters.hpp"
#include "reports/html/elements/page_names.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/record/totals.hpp"
#include "reports/text/markup.hpp"

namespace attest::reports::html {
namespace {

std::string row(const Results& results, const Claim& claim) {
  const bool as_expected = claim.verdict == claim.expected;
  return fmt::format(
      "<tr role=\"row\" id=\"{0}\" {1}{2}><td role=\"cell\" class=\"c-verdict\">{3}{4}</td>"
      "<th role=\"rowheader\" scope=\"row\" class=\"c-statement\"><a href=\"{5}\">{6}</a>{7}</th>"
      "<td role=\"cell\" class=\"c-kind\">{8}</td><td role=\"cell\" class=\"c-evidence\"><span "
      "class=\"clamp\">{9}</span></td></tr>\n",
      anchor(claim.id), item_attributes(claim), as_expected ? "" : " class=\"unexpected\"", badge(claim),
      as_expected ? "" : fmt::format(" <span class=\"expected\">expected {}</span>", name(claim.expected)),
      address(results, claim), full_title(claim), claim.printed ? "" : " <span class=\"tag\">ours</span>",
      escaped(claim.kind), prose(headline(claim)));
}

}  // namespace

std::string verdict_section(const Results& results) {
  std::vector<const Claim*> claims;
  for (const Claim& claim : results.claims) claims.push_back(&claim);
  std::string html =
      "<section id=\"statements\" aria-labelledby=\"statements-title\">\n<h2 id=\"statements-title\">All "
      "statements</h2>\n" +
      filters(claims) +
      "<table class=\"verdicts\" role=\"table\" aria-labelledby=\"statements-title\"><thead role=\"rowgroup\"><tr "
      "role=\"row\">"
      "<th role=\"columnheader\" scope=\"col\">Verdict</th><th role=\"columnheader\" scope=\"col\">Statement</th>"
      "<th role=\"columnheader\" scope=\"col\">Kind</th><th role=\"columnheader\" scope=\"col\">Evidence</th>"
      "</tr></thead>\n";
  for (const Paper& paper : results.papers) {
    html += fmt::format(
        "<tbody role=\"rowgroup\" class=\"group\"><tr class=\"paper\" role=\"row\"><th role=\"rowheader\" "
        "scope=\"rowgroup\" colspan=\"4\"><cite>{}</cite></th></tr>\n",
        escaped(paper.title));
    for (const Claim* claim : claims)
      if (claim->paper == paper.key) html += row(results, *claim);
    html += "</tbody>\n";
  }
  return html + "</table>\n</section>\n";
}

}  // namespace attest::reports::html
