#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/elements/filters.hpp"
#include "reports/html/elements/page_names.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/record/errata.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

/// A heading with its articles; script.js hides the group when none of them is left.
std::string group(std::string_view id, std::string_view heading, std::string_view meaning,
                  const std::string& articles) {
  if (articles.empty()) return {};
  return fmt::format(
      "<section class=\"group\" id=\"finding-{0}\" aria-labelledby=\"finding-{0}-title\">"
      "<h2 id=\"finding-{0}-title\">{1}</h2>\n<p class=\"intro\">{2}</p>\n{3}</section>\n",
      id, heading, meaning, articles);
}

std::string articles(const Results& results, const std::vector<Erratum>& all, std::string_view finding) {
  std::string html;
  for (const Erratum& each : all) {
    if (each.printed->finding == finding) html += erratum_article(results, each, anchor(each.printed->id));
  }
  return html;
}

bool is_known(std::string_view finding) {
  for (const Finding& each : all_findings)
    if (each.name == finding) return true;
  return false;
}

std::string capitalised(std::string_view word) {
  std::string text(word);
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace

std::string errata_list(const Results& results) {
  const std::vector<Erratum> all = errata(results), better = sharpened(results);
  std::vector<const Claim*> claims;
  std::string html, others;
  for (const Finding& finding : all_findings)
    html +=
        group(finding.name, capitalised(finding.name), sentence(finding.meaning), articles(results, all, finding.name));
  for (const Erratum& each : all) {
    claims.push_back(each.printed);
    if (!is_known(each.printed->finding)) others += erratum_article(results, each, anchor(each.printed->id));
  }
  html += group("none", "Refuted, without a finding", "What is wrong with them is not said in the source.", others);
  std::string sharper;
  for (const Erratum& each : better) {
    claims.push_back(each.printed);
    sharper += erratum_article(results, each, anchor(each.printed->id));
  }
  html += group("sharpened", "Not refuted, but sharpened or completed",
                "They hold or stay open as they are printed; ours say more.", sharper);
  if (claims.empty()) return "<p>Every printed statement holds as it stands, or stays open.</p>\n";
  return filters(claims) + html;
}

std::string findings_section(const Results& results) {
  constexpr std::size_t most = 10;
  const std::vector<Erratum> all = errata(results), first = gravest(all, most);
  if (first.empty()) return {};
  std::string html = fmt::format(
      "<section id=\"findings\" aria-labelledby=\"findings-title\">\n<h2 id=\"findings-title\">What is wrong</h2>\n"
      "<p class=\"intro\">{} of the <a href=\"{}\">{}</a>: outright errors before wrong constants, and of each those "
      "first that most printed statements rest on.</p>\n",
      first.size() < all.size() ? fmt::format("The first {}", first.size()) : "All", errata_page_name,
      counted(static_cast<std::int64_t>(all.size()), "printed statement") +
          (all.size() == 1 ? " that does not hold as it stands" : " that do not hold as they stand"));
  for (const Erratum& each : first) html += erratum_article(results, each, "");
  return html + fmt::format("<p><a href=\"{}\">All errata, by finding</a></p>\n</section>\n", errata_page_name);
}

}  // namespace attest::reports::html
