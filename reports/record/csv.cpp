#include "reports/record/csv.hpp"

#include <cmath>

#include <fmt/format.h>

#include "reports/record/totals.hpp"
#include "reports/text/csv_field.hpp"

namespace attest::reports {
namespace {

std::string field(const std::string& text) { return csv_field(text); }

std::string field(const std::optional<double>& number) { return number ? fmt::format("{}", *number) : ""; }

std::string field(bool flag) { return flag ? "true" : "false"; }

std::string row(const std::vector<std::string>& fields) {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : ",") + fields[i];
  return text + "\r\n";
}

}  // namespace

std::string claims_csv(const Results& results) {
  std::string csv = row({"id",
                         "paper",
                         "label",
                         "title",
                         "kind",
                         "family",
                         "printed",
                         "amends",
                         "verdict",
                         "expected",
                         "samples",
                         "evaluations",
                         "estimate",
                         "interval_lower",
                         "interval_upper",
                         "bound",
                         "tightness",
                         "least_slack",
                         "near_misses",
                         "near_misses_refuted",
                         "near_misses_undecided",
                         "smallest_error_caught",
                         "seconds",
                         "reason"});
  for (const Claim& claim : results.claims) {
    const Evidence& evidence = claim.evidence;
    const auto caught = smallest_caught(claim);
    const auto end = [&](double Interval::*which) {
      return field(evidence.interval ? std::optional((*evidence.interval).*which) : std::nullopt);
    };
    csv += row({field(claim.id),
                field(claim.paper),
                field(claim.label),
                field(claim.title),
                field(claim.kind),
                field(claim.family),
                field(claim.printed),
                field(claim.amends.value_or("")),
                std::string(name(claim.verdict)),
                std::string(name(claim.expected)),
                field(evidence.samples),
                field(evidence.evaluations),
                field(evidence.estimate),
                end(&Interval::lower),
                end(&Interval::upper),
                field(evidence.bound),
                field(evidence.tightness),
                field(evidence.least_slack),
                std::to_string(near_misses_of(claim).judged),
                std::to_string(near_misses_of(claim).refuted),
                std::to_string(near_misses_of(claim).undecided),
                field(caught ? std::optional(caught->delta) : std::nullopt),
                field(std::optional(claim.seconds)),
                field(evidence.reason)});
  }
  return csv;
}

}  // namespace attest::reports
