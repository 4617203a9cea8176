#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "reports/html/elements/elements.hpp"
#include "reports/html/sections/sections.hpp"
#include "reports/record/totals.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

bool stands(const Claim& claim) { return claim.verdict == Verdict::certified || claim.verdict == Verdict::supported; }

std::int64_t size(const std::vector<const Claim*>& claims) { return static_cast<std::int64_t>(claims.size()); }

/// "Of 62 printed statements, 40 stand and 18 are refuted; 15 of these have an amendment that stands."
std::string opening(const Results& results) {
  int printed = 0, standing = 0, refuted = 0, amended = 0;
  for (const Claim& claim : results.claims) {
    if (!claim.printed) continue;
    ++printed;
    standing += stands(claim) ? 1 : 0;
    if (claim.verdict != Verdict::refuted) continue;
    ++refuted;
    const auto amendments = amendments_of(results, claim);
    amended += std::any_of(amendments.begin(), amendments.end(), [](const Claim* a) { return stands(*a); }) ? 1 : 0;
  }
  std::string text = fmt::format("Of {} as printed, <strong>{}</strong> {} and <strong>{}</strong> {} refuted",
                                 counted(printed, "statement"), standing, standing == 1 ? "stands" : "stand", refuted,
                                 refuted == 1 ? "is" : "are");
  if (amended > 0)
    text += fmt::format("; {} of these {} an amendment that stands", amended, amended == 1 ? "has" : "have");
  const auto open = printed - standing - refuted;
  if (open > 0) text += fmt::format("; {} stay open, empty or in error", open);
  return text + ".";
}

/// One square a statement, so that the whole run is seen at once. The table below says the same in words.
std::string map_of_claims(const Results& results) {
  std::string html = "<div class=\"map\" aria-hidden=\"true\">\n";
  for (const std::string& paper : papers_of(results)) {
    html += fmt::format(R"(<p class="map-paper"><cite>{}</cite></p><p class="squares">)", escaped(paper_title(paper)));
    for (const Claim& claim : results.claims) {
      if (claim.paper != paper) continue;
      html += fmt::format(R"(<a tabindex="-1" class="square {}{}" href="#{}" title="{}: {}">{}</a>)",
                          name(claim.verdict), claim.verdict == claim.expected ? "" : " unexpected", anchor(claim.id),
                          escaped(claim.label), name(claim.verdict), symbol(claim.verdict));
    }
    html += "</p>\n";
  }
  return html + "</div>\n";
}

std::string counts(const Totals& sum) {
  std::string html = "<ul class=\"counts\">";
  for (const Verdict verdict : all_verdicts) {
    if (sum.count(verdict) == 0) continue;
    html += fmt::format("<li>{} <span class=\"count\">{}</span></li>", badge(verdict), sum.count(verdict));
  }
  return html + "</ul>\n";
}

std::string warnings(const Suite& suite, const Totals& sum) {
  std::string html;
  if (suite.interrupted) {
    html += "<div class=\"warning\"><p>The run was interrupted: only what was finished is here.</p></div>\n";
  }
  if (!sum.unexpected.empty()) {
    html +=
        fmt::format("<div class=\"warning\"><p>{} from the record:</p><ul>",
                    counted(size(sum.unexpected), "verdict") + (sum.unexpected.size() == 1 ? " differs" : " differ"));
    for (const Claim* claim : sum.unexpected) {
      html += fmt::format("<li><a href=\"#{}\">{}</a>: {}, expected {}</li>", anchor(claim->id), prose(claim->label),
                          badge(claim->verdict), badge(claim->expected));
    }
    html += "</ul></div>\n";
  }
  if (!sum.missed.empty()) {
    html += "<div class=\"warning\"><p>Near-misses that were not refuted, so that the check is too weak:</p><ul>";
    for (const Claim* claim : sum.missed) {
      html += fmt::format("<li><a href=\"#{}\">{}</a></li>", anchor(claim->id), prose(claim->label));
    }
    html += "</ul></div>\n";
  }
  if (html.empty()) {
    html = "<p class=\"on-record\">Every verdict is the one on record";
    html += sum.near_misses > 0 ? ", and no near-miss got through.</p>\n" : ".</p>\n";
  }
  return html;
}

/// "2025-01-01T12:00:00Z" as "2025-01-01 12:00 UTC"; anything else as it is.
std::string readable_time(const std::string& started) {
  if (started.size() != 20 || started[10] != 'T' || started[19] != 'Z') return started;
  return started.substr(0, 10) + " " + started.substr(11, 5) + " UTC";
}

std::string run_data(const Results& results, const Totals& sum) {
  std::string html = "<dl class=\"run\">\n";
  const auto row = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, value);
  };
  const Suite& suite = results.suite;
  if (suite.false_alarm_bound) {
    row("False alarms", fmt::format("probability of refuting any true statement in this run at most {}",
                                    number(*suite.false_alarm_bound)));
  }
  if (sum.near_misses > 0) {
    row("Near-misses", fmt::format("{} statements made slightly wrong on purpose were refuted by the same checks",
                                   out_of(sum.near_misses_refuted, sum.near_misses)));
  }
  if (sum.smallest_caught) {
    row("Smallest error caught",
        fmt::format("{} in <a href=\"#{}\">{}</a>", number(sum.smallest_caught->delta),
                    anchor(sum.smallest_caught->claim->id), prose(sum.smallest_caught->claim->label)));
  }
  if (!suite.near_misses_judged) row("Near-misses", "planted, but not judged in this run");
  row("Seed", "<code>" + escaped(suite.seed) + "</code>");
  row("Budget", escaped(suite.budget) +
                    (suite.effort && *suite.effort != 1 ? " (" + number(*suite.effort) + " times the quick one)" : ""));
  row("Run", escaped(readable_time(suite.started)) +
                 (suite.seconds ? ", " + escaped(readable_seconds(*suite.seconds)) : "") +
                 (suite.threads ? " on " + escaped(counted(static_cast<std::int64_t>(*suite.threads), "thread")) : "") +
                 (suite.device.empty() ? "" : " (" + escaped(suite.device) + ")"));
  row("Version", escaped(suite.version));
  return html + "</dl>\n";
}

}  // namespace

std::string summary_section(const Results& results) {
  const Totals sum = totals(results);
  return "<section id=\"summary\" aria-labelledby=\"summary-title\">\n<h2 id=\"summary-title\">Summary</h2>\n<p "
         "class=\"lead\">" +
         opening(results) + "</p>\n" + counts(sum) + map_of_claims(results) + warnings(results.suite, sum) +
         run_data(results, sum) + "</section>\n";
}

}  // namespace attest::reports::html
