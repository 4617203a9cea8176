#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/record/totals.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

/// The different values of one property, in order of appearance.
template <class Property>
std::vector<std::string> different(const Results& results, Property property) {
  std::vector<std::string> values;
  for (const Claim& claim : results.claims) {
    const std::string value(property(claim));
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

std::string choice(std::string_view property, std::string_view label, const std::vector<std::string>& values) {
  std::string html = fmt::format(R"(<label>{}<select data-filter="{}"><option value="">all</option>)", label, property);
  for (const std::string& value : values) html += fmt::format("<option>{}</option>", escaped(value));
  return html + "</select></label>\n";
}

std::string filters(const Results& results) {
  return "<form class=\"filters\" hidden>\n"
         "<label class=\"search\">Search<input type=\"search\" data-filter=\"text\" autocomplete=\"off\" "
         "placeholder=\"label, title or id\"></label>\n" +
         choice("verdict", "Verdict", different(results, [](const Claim& c) { return name(c.verdict); })) +
         choice("paper", "Paper", papers_of(results)) +
         choice("kind", "Kind", different(results, [](const Claim& c) { return c.kind; })) +
         choice("origin", "Wording", {"printed", "amended"}) +
         "<div class=\"state\"><p class=\"shown\" role=\"status\"></p><button type=\"reset\">Show "
         "all</button></div>\n</form>\n";
}

std::string row(const Claim& claim) {
  const int misses = near_misses_judged(claim);
  const int refuted = near_misses_refuted(claim);
  std::string caught = misses == 0 ? "–" : out_of(refuted, misses);
  if (const auto smallest = smallest_caught(claim)) {
    caught += fmt::format("<span class=\"delta\">≥ {}</span>", number(smallest->delta, 3));
  }
  const bool as_expected = claim.verdict == claim.expected;
  return fmt::format(
      "<tr role=\"row\" data-text=\"{15}\" data-claim=\"{0}\" data-verdict=\"{12}\" data-paper=\"{13}\" "
      "data-kind=\"{7}\" "
      "data-origin=\"{14}\"{1}>"
      "<td role=\"cell\" class=\"c-verdict\">{2}{3}</td>"
      "<th role=\"rowheader\" scope=\"row\" class=\"c-statement\"><a href=\"#{0}\"><span class=\"label\">{4}</span> "
      "<span class=\"title\">{5}</span></a>{6}</th>"
      "<td role=\"cell\" class=\"c-kind\">{7}</td><td role=\"cell\" class=\"c-evidence\"><span "
      "class=\"clamp\">{8}</span></td>"
      "<td role=\"cell\" class=\"c-caught{9}\">{10}</td><td role=\"cell\" class=\"c-time\">{11}</td></tr>\n",
      anchor(claim.id), as_expected ? "" : " class=\"unexpected\"", badge(claim),
      as_expected ? "" : fmt::format(" <span class=\"expected\">expected {}</span>", name(claim.expected)),
      prose(claim.label), prose(claim.title), claim.printed ? "" : " <span class=\"tag\">amendment</span>",
      escaped(claim.kind), prose(headline(claim)), refuted == misses ? "" : " missed", caught,
      escaped(readable_seconds(claim.seconds)), name(claim.verdict), escaped(claim.paper),
      claim.printed ? "printed" : "amended", escaped(claim.id + " " + claim.label + " " + claim.title));
}

}  // namespace

std::string verdict_section(const Results& results) {
  std::string html =
      "<section id=\"verdicts\" aria-labelledby=\"verdicts-title\">\n<h2 id=\"verdicts-title\">Verdicts</h2>\n" +
      filters(results) +
      "<table class=\"verdicts\" role=\"table\" aria-labelledby=\"verdicts-title\"><thead role=\"rowgroup\"><tr "
      "role=\"row\">"
      "<th role=\"columnheader\" scope=\"col\">Verdict</th><th role=\"columnheader\" scope=\"col\">Statement</th>"
      "<th role=\"columnheader\" scope=\"col\">Kind</th><th role=\"columnheader\" scope=\"col\">Evidence</th>"
      "<th role=\"columnheader\" scope=\"col\" title=\"Near-misses caught, and the smallest error among them\">"
      "Near-misses</th><th role=\"columnheader\" scope=\"col\">Time</th></tr></thead>\n";
  for (const std::string& paper : papers_of(results)) {
    html += fmt::format(
        "<tbody role=\"rowgroup\"><tr class=\"paper\" role=\"row\"><th role=\"rowheader\" scope=\"rowgroup\" "
        "colspan=\"6\"><cite>{}</cite></th></tr>\n",
        escaped(paper_title(paper)));
    for (const Claim& claim : results.claims) {
      if (claim.paper == paper) html += row(claim);
    }
    html += "</tbody>\n";
  }
  return html + "</table>\n</section>\n";
}

}  // namespace attest::reports::html
