#include "reports/evidence_lines.hpp"

#include <fmt/format.h>

#include "reports/numbers.hpp"

namespace attest::reports {

std::vector<NamedText> evidence_lines(const Evidence& evidence) {
  std::vector<NamedText> lines;
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) lines.push_back({name, value});
  };
  const auto number = [&](const char* name, const std::optional<double>& value) {
    if (value) lines.push_back({name, readable_number(*value, 6)});
  };
  const auto count = [&](const char* name, const std::optional<double>& value) {
    if (value) lines.push_back({name, readable_count(*value)});
  };
  text("domain", evidence.domain);
  if (!evidence.least_slack) text("statistic", evidence.statistic);
  // The least slack is itself what an inequality's search estimates, against a bound of zero.
  if (!evidence.least_slack) number("estimate", evidence.estimate);
  if (evidence.interval) {
    lines.push_back({"interval", fmt::format("[{}, {}]", readable_number(evidence.interval->lower, 6),
                                             readable_number(evidence.interval->upper, 6))});
  }
  if (!evidence.least_slack) number("claimed", evidence.bound);
  number("least slack", evidence.least_slack);
  text("least slack at", evidence.slack_at);
  number("tightness", evidence.tightness);
  count("samples", evidence.samples);
  count("evaluations", evidence.evaluations);
  count("admissible points", evidence.admissible);
  count("bits of agreement", evidence.accuracy_bits);
  number("smallest discrepancy it would catch", evidence.smallest_discrepancy);
  number("chance of passing such a one", evidence.false_pass_rate);
  number("error level", evidence.alpha);
  lines.insert(lines.end(), evidence.further.begin(), evidence.further.end());
  return lines;
}

}  // namespace attest::reports
