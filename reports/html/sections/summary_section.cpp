#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/elements/page_names.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/record/dependencies.hpp"
#include "reports/record/totals.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

std::int64_t size(const std::vector<const Claim*>& claims) { return static_cast<std::int64_t>(claims.size()); }

/// "Of 62 statements as printed, 40 stand and 18 are refuted; 15 of these have an amendment that stands."
std::string opening(const Results& results) {
  int printed = 0, standing = 0, refuted = 0, amended = 0;
  for (const Claim& claim : results.claims) {
    if (!claim.printed) continue;
    ++printed;
    standing += stands_by_itself(claim) ? 1 : 0;
    if (claim.verdict != Verdict::refuted) continue;
    ++refuted;
    const auto amendments = amendments_of(results, claim);
    const bool stands =
        std::any_of(amendments.begin(), amendments.end(), [](const Claim* a) { return stands_by_itself(*a); });
    amended += stands ? 1 : 0;
  }
  std::string text = fmt::format("Of {} as printed, <strong>{}</strong> {} and <strong>{}</strong> {} refuted",
                                 counted(printed, "statement"), standing, standing == 1 ? "stands" : "stand", refuted,
                                 refuted == 1 ? "is" : "are");
  if (amended > 0)
    text += fmt::format("; {} of these {} an amendment that stands", amended, amended == 1 ? "has" : "have");
  return text + unsettled_in_words(results) + ".";
}

/// Counts by verdict, printed statements and ours apart, so that no two numbers of the page seem to disagree.
std::string counts(const Results& results) {
  std::string rows;
  std::array<int, 2> all{};
  for (const Verdict verdict : all_verdicts) {
    std::array<int, 2> count{};
    for (const Claim& claim : results.claims) count[claim.printed ? 0 : 1] += claim.verdict == verdict ? 1 : 0;
    if (count[0] + count[1] == 0) continue;
    const auto cell = [&](int number, std::string_view origin) {
      return number == 0 ? std::string("<td>–</td>")
                         : fmt::format("<td><a href=\"?verdict={}&amp;origin={}#statements\">{}</a></td>",
                                       name(verdict), origin, number);
    };
    rows += fmt::format("<tr><th scope=\"row\">{}</th>{}{}</tr>\n", badge(verdict), cell(count[0], "printed"),
                        cell(count[1], "ours"));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += count[i];
  }
  if (rows.empty()) return {};
  return fmt::format(
      "<table class=\"counts\"><thead><tr><td></td><th scope=\"col\">as printed</th><th scope=\"col\">ours</th></tr>"
      "</thead><tbody>\n{}<tr><th scope=\"row\">all</th><td>{}</td><td>{}</td></tr>\n</tbody></table>\n",
      rows, all[0], all[1]);
}

std::string list_of(const Results& results, const std::vector<const Claim*>& claims, bool verdicts) {
  std::string html = "<ul>";
  for (const Claim* claim : claims) {
    html += "<li>" + claim_link(results, claim->id);
    if (verdicts) html += fmt::format(": {}, expected {}", badge(claim->verdict), badge(claim->expected));
    html += "</li>";
  }
  return html + "</ul>";
}

std::string warnings(const Results& results, const Totals& sum) {
  std::string html;
  if (results.suite.interrupted)
    html += "<div class=\"warning\"><p>The run was interrupted: only what was finished is here.</p></div>\n";
  if (!sum.unexpected.empty())
    html +=
        fmt::format("<div class=\"warning\"><p>{} from the record:</p>{}</div>\n",
                    counted(size(sum.unexpected), "verdict") + (sum.unexpected.size() == 1 ? " differs" : " differ"),
                    list_of(results, sum.unexpected, true));
  if (!sum.missed.empty())
    html += fmt::format(
        "<div class=\"warning\"><p>Near-misses that were not caught, so that the check is too weak:</p>{}</div>\n",
        list_of(results, sum.missed, false));
  if (!sum.overshot.empty())
    html += fmt::format("<div class=\"warning\"><p>Near-hits that do not stand:</p>{}</div>\n",
                        list_of(results, sum.overshot, false));
  if (!html.empty()) return html;
  html = "<p class=\"on-record\">Every verdict is the one on record";
  if (sum.near_misses.judged == 0) return html + ".</p>\n";
  return html + fmt::format(", and no near-miss got through: {}.</p>\n", in_words(sum.near_misses));
}

std::int64_t owing(const Results& results) {
  return std::count_if(results.claims.begin(), results.claims.end(), [](const Claim& c) { return !c.owes.empty(); });
}

/// "2025-01-01T12:00:00Z" as "2025-01-01 12:00 UTC"; anything else as it is.
std::string readable_time(const std::string& started) {
  if (started.size() != 20 || started[10] != 'T' || started[19] != 'Z') return started;
  return started.substr(0, 10) + " " + started.substr(11, 5) + " UTC";
}

}  // namespace

std::string summary_section(const Results& results) {
  return "<section id=\"summary\" aria-labelledby=\"summary-title\">\n<h2 id=\"summary-title\">Summary</h2>\n<p "
         "class=\"lead\">" +
         opening(results) + "</p>\n" + counts(results) + warnings(results, totals(results)) + "</section>\n";
}

std::string run_section(const Results& results) {
  const Totals sum = totals(results);
  std::string html =
      "<section id=\"run\" aria-labelledby=\"run-title\">\n<h2 id=\"run-title\">This run</h2>\n<dl class=\"run\">\n";
  const auto row = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, value);
  };
  const Suite& suite = results.suite;
  if (suite.false_alarm_bound) {
    row("False alarms", fmt::format("probability of refuting any true statement in this run at most {}{}",
                                    number(*suite.false_alarm_bound),
                                    suite.trained_false_alarm_bound.value_or(0) > 0
                                        ? fmt::format("; by results of training, all together, at most {}",
                                                      number(*suite.trained_false_alarm_bound))
                                        : ""));
  }
  if (sum.near_misses.judged > 0)
    row("Near-misses",
        "of statements made slightly wrong on purpose the same checks find " + in_words(sum.near_misses));
  if (sum.smallest_caught) {
    row("Smallest error caught", fmt::format("{} in {}", number(sum.smallest_caught->delta),
                                             claim_link(results, sum.smallest_caught->claim->id)));
  }
  if (sum.checkable > 0)
    row("Evidence for others",
        fmt::format("of {}, {} {} a file that <code>check_evidence.py</code> beside this report checks without Attest",
                    counted(sum.exact, "exact verdict"), readable_count(sum.checkable),
                    sum.checkable == 1 ? "has" : "have"));
  if (!suite.near_misses_judged) row("Near-misses", "planted, but not judged in this run");
  if (const std::int64_t count = owing(results); count > 0)
    row("Checks that owe", fmt::format("{} do not meet every rule of the engine yet; each says which",
                                       out_of(count, static_cast<std::int64_t>(results.claims.size()))));
  row("Seed", "<code>" + escaped(suite.seed) + "</code>");
  row("Budget", escaped(suite.budget) +
                    (suite.effort && *suite.effort != 1 ? " (" + number(*suite.effort) + " times the quick one)" : ""));
  row("Run", escaped(readable_time(suite.started)) +
                 (suite.seconds ? ", " + escaped(readable_seconds(*suite.seconds)) : "") +
                 (suite.threads ? " on " + escaped(counted(*suite.threads, "thread")) : "") +
                 (suite.device.empty() ? "" : " (" + escaped(suite.device) + ")"));
  row("Version", escaped(suite.version));
  return html + "</dl>\n</section>\n";
}

}  // namespace attest::reports::html
