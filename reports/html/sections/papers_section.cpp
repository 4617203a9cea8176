#include <algorithm>

#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/elements/page_names.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/record/dependencies.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

std::string squares(const Results& results, const Paper& paper) {
  std::string html = "<p class=\"squares\" aria-hidden=\"true\">";
  for (const Claim& claim : results.claims) {
    if (claim.paper != paper.key) continue;
    html += fmt::format(R"(<a tabindex="-1" class="square {}{}" href="{}" title="{}: {}">{}</a>)", name(claim.verdict),
                        claim.verdict == claim.expected ? "" : " unexpected", address(results, claim),
                        escaped(claim.label), name(claim.verdict), symbol(claim.verdict));
  }
  return html + "</p>\n";
}

}  // namespace

std::string unsettled_in_words(const Results& results, std::optional<std::string> paper) {
  std::string words;
  for (const Verdict verdict : {Verdict::undecided, Verdict::vacuous, Verdict::error}) {
    const auto count = std::ranges::count_if(results.claims, [&](const Claim& claim) {
      return claim.printed && claim.verdict == verdict && (!paper || claim.paper == *paper);
    });
    if (count == 0) continue;
    words += fmt::format("{} {} {}", words.empty() ? ";" : ",", count,
                         verdict == Verdict::error ? "in error" : name(verdict));
  }
  return words;
}

std::string paper_in_words(const Results& results, const std::string& key) {
  std::int64_t printed = 0, standing = 0, refuted = 0, ours = 0;
  for (const Claim& claim : results.claims) {
    if (claim.paper != key) continue;
    (claim.printed ? printed : ours) += 1;
    if (!claim.printed) continue;
    standing += stands_by_itself(claim) ? 1 : 0;
    refuted += claim.verdict == Verdict::refuted ? 1 : 0;
  }
  const std::string words = fmt::format("{} as printed: {} {}, {} refuted", counted(printed, "statement"), standing,
                                        standing == 1 ? "stands" : "stand", refuted);
  return words + unsettled_in_words(results, key) + (ours > 0 ? fmt::format("; {} of ours", ours) : "") + ".";
}

std::string papers_section(const Results& results) {
  if (results.papers.empty()) return {};
  std::string html =
      "<section id=\"papers\" aria-labelledby=\"papers-title\">\n<h2 id=\"papers-title\">Papers</h2>\n"
      "<p class=\"intro\">One square for each statement, with its verdict's sign.</p>\n";
  for (const Paper& paper : results.papers) {
    html += fmt::format(
        "<article class=\"paper-card\"><h3><a href=\"{}\"><cite>{}</cite></a></h3>\n<p>{} <a href=\"{}?paper={}\">Its "
        "errata</a></p>\n{}</article>\n",
        paper_page_name(results, paper.key), escaped(paper.title), paper_in_words(results, paper.key), errata_page_name,
        query_value(paper.key), squares(results, paper));
  }
  return html + "</section>\n";
}

}  // namespace attest::reports::html
