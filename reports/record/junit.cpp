#include "reports/record/junit.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/record/totals.hpp"
#include "reports/text/markup.hpp"

namespace attest::reports {
namespace {

enum class Outcome { passed, failed, errored };

Outcome outcome(const Claim& claim) {
  if (claim.verdict == Verdict::error) return Outcome::errored;
  const NearMissCounts near_misses = near_misses_of(claim);
  const bool all_caught = near_misses.caught() == near_misses.judged;
  return claim.verdict == claim.expected && all_caught && fallen_near_hits(claim).empty() ? Outcome::passed
                                                                                          : Outcome::failed;
}

/// One line for each thing that is wrong with the claim's outcome.
std::string complaint(const Claim& claim) {
  std::string text;
  if (claim.verdict != claim.expected) {
    text = fmt::format("verdict {}, expected {}", name(claim.verdict), name(claim.expected));
  }
  for (const NearMiss& miss : claim.near_misses) {
    if (!miss.verdict || miss.caught) continue;
    text += fmt::format("{}near-miss not refuted but {}: {}", text.empty() ? "" : "; ", name(*miss.verdict), miss.name);
  }
  for (const NearMiss* hit : fallen_near_hits(claim)) {
    text += fmt::format("{}near-hit does not stand but is {}: {}", text.empty() ? "" : "; ", name(*hit->verdict),
                        hit->name);
  }
  return text;
}

/// "refuted", or "refuted, constant" where a finding says what is wrong.
std::string verdict_and_finding(const Claim& claim) {
  return std::string(name(claim.verdict)) + (claim.finding.empty() ? "" : ", " + claim.finding);
}

void append_case(std::string& xml, const Claim& claim) {
  const Outcome result = outcome(claim);
  xml += fmt::format("    <testcase classname=\"attest.{}\" name=\"{}\" time=\"{:.3f}\">\n", escaped(claim.paper),
                     escaped(claim.id), claim.seconds > 0 ? claim.seconds : 0.0);
  if (result != Outcome::passed) {
    const std::string_view element = result == Outcome::errored ? "error" : "failure";
    xml += fmt::format("      <{} type=\"{}\" message=\"{}\">{}</{}>\n", element, name(claim.verdict),
                       escaped(complaint(claim)), escaped(claim.evidence.reason), element);
  }
  const NearMissCounts near_misses = near_misses_of(claim);
  xml += fmt::format("      <system-out>{} ({}): {}. {}: {}{}</system-out>\n    </testcase>\n", escaped(claim.label),
                     escaped(claim.kind), escaped(claim.title), verdict_and_finding(claim), escaped(headline(claim)),
                     near_misses.undecided > 0 ? fmt::format(". Near-misses: {}", in_words(near_misses)) : "");
}

std::string attributes(const std::vector<const Claim*>& claims) {
  const auto count = [&](Outcome wanted) {
    return std::count_if(claims.begin(), claims.end(), [&](const Claim* claim) { return outcome(*claim) == wanted; });
  };
  double seconds = 0;
  for (const Claim* claim : claims) seconds += claim->seconds > 0 ? claim->seconds : 0.0;
  return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="0" time="{:.3f}")", claims.size(),
                     count(Outcome::failed), count(Outcome::errored), seconds);
}

std::string properties(const Suite& suite) {
  std::string xml = "    <properties>\n";
  const auto add = [&](std::string_view key, const std::string& value) {
    if (value.empty()) return;
    xml += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", key, escaped(value));
  };
  const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; };
  add("version", suite.version);
  add("seed", suite.seed);
  add("budget", suite.budget);
  add("device", suite.device);
  add("threads", suite.threads ? fmt::format("{}", *suite.threads) : "");
  add("started", suite.started);
  add("false_alarm_bound", number(suite.false_alarm_bound));
  add("alpha_per_claim", number(suite.alpha_per_claim));
  return xml + "    </properties>\n";
}

}  // namespace

std::string junit_xml(const Results& results) {
  std::vector<const Claim*> all;
  for (const Claim& claim : results.claims) all.push_back(&claim);
  std::string xml =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"attest\" {}>\n", attributes(all));
  for (const Paper& paper : results.papers) {
    std::vector<const Claim*> claims;
    std::copy_if(all.begin(), all.end(), std::back_inserter(claims),
                 [&](const Claim* c) { return c->paper == paper.key; });
    xml += fmt::format("  <testsuite name=\"{}\" {}>\n{}", escaped(paper.key), attributes(claims),
                       properties(results.suite));
    for (const Claim* claim : claims) append_case(xml, *claim);
    xml += "  </testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

}  // namespace attest::reports
