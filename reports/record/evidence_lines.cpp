#include "reports/record/evidence_lines.hpp"

#include <string_view>

#include <fmt/format.h>

#include "reports/text/numbers.hpp"

namespace attest::reports {

namespace {

/// What a protocol calls the numbers that all protocols have in common.
struct Names {
  std::string_view estimate = "estimate";
  std::string_view bound = "claimed";
  std::string_view samples = "samples";
};

Names names_in(const std::string& protocol) {
  if (protocol == "identity") return {"largest relative residual", "rounding allows", "points"};
  if (protocol == "inequality" || protocol == "existence") return {"estimate", "claimed", "points"};
  if (protocol == "certification") return {"undecided fraction", "allowed", "cases settled"};
  if (protocol == "sequence") return {"estimate", "claimed", "places on the grid"};
  return {};
}

}  // namespace

std::vector<NamedText> evidence_lines(const Evidence& evidence) {
  const Names names = names_in(evidence.protocol);
  std::vector<NamedText> lines;
  const auto text = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) lines.push_back({std::string(name), value});
  };
  const auto number = [&](std::string_view name, const std::optional<double>& value) {
    if (value) lines.push_back({std::string(name), readable_number(*value, 6)});
  };
  // Rates and resolutions are orders of magnitude, not measurements.
  const auto rate = [&](std::string_view name, const std::optional<double>& value) {
    if (value) lines.push_back({std::string(name), readable_number(*value, 3)});
  };
  const auto count = [&](std::string_view name, const std::optional<double>& value) {
    if (value) lines.push_back({std::string(name), readable_count(*value)});
  };
  text("domain", evidence.domain);
  // Where the protocol has a name for its estimate, that name is the statistic.
  if (!evidence.least_slack && names.estimate == Names().estimate) text("statistic", evidence.statistic);
  // The least slack is itself what an inequality's search estimates, against a bound of zero.
  if (!evidence.least_slack) number(names.estimate, evidence.estimate);
  if (evidence.interval) {
    lines.push_back({"interval", fmt::format("[{}, {}]", readable_number(evidence.interval->lower, 6),
                                             readable_number(evidence.interval->upper, 6))});
  }
  if (!evidence.least_slack) number(names.bound, evidence.bound);
  number("least slack", evidence.least_slack);
  text("least slack at", evidence.slack_at);
  number("tightness", evidence.tightness);
  count(names.samples, evidence.samples);
  count("evaluations", evidence.evaluations);
  count("admissible points", evidence.admissible);
  count("bits of agreement", evidence.accuracy_bits);
  rate("resolution", evidence.resolution);
  if (evidence.attained) text("bound", "attained");
  rate("smallest discrepancy it would catch", evidence.smallest_discrepancy);
  rate("chance of passing such a one", evidence.false_pass_rate);
  rate("error level", evidence.alpha);
  lines.insert(lines.end(), evidence.further.begin(), evidence.further.end());
  return lines;
}

}  // namespace attest::reports
