#include "theorems/referee/question/outcome.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace attest::referee {
namespace {

using nlohmann::ordered_json;

/// JSON has no infinities: they are written as the words that the language uses.
ordered_json number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? ordered_json(nullptr) : ordered_json(value > 0 ? "inf" : "-inf");
}

ordered_json numbers(const std::vector<double>& values) {
  ordered_json list = ordered_json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

ordered_json to_json(const Point& point) {
  ordered_json inputs = ordered_json::object();
  for (const NamedValue& value : point.values) {
    if (value.shape.rank == 0) {
      inputs[value.name] = number(value.entries.at(0));
    } else if (value.shape.rank == 1) {
      inputs[value.name] = numbers(value.entries);
    } else {
      ordered_json rows = ordered_json::array();
      const auto cols = static_cast<std::ptrdiff_t>(value.shape.cols);
      for (auto row = value.entries.begin(); row != value.entries.end(); row += cols)
        rows.push_back(numbers(std::vector<double>(row, row + cols)));
      inputs[value.name] = rows;
    }
  }
  ordered_json document{{"inputs", inputs},
                        {"lhs", point.lhs},
                        {"relation", point.relation},
                        {"rhs", point.rhs},
                        {"relative_margin", number(point.relative_margin)}};
  if (point.precision_bits > 0) document["precision_bits"] = point.precision_bits;
  return document;
}

ordered_json to_json(const Repair& repair) { return {{"statement", repair.statement}, {"sentence", repair.sentence}}; }

template <typename T>
ordered_json optional(const std::optional<T>& value) {
  return value ? to_json(*value) : ordered_json(nullptr);
}

ordered_json to_json(const BestConstant& best) {
  ordered_json document{{"name", best.name},           {"sense", best.smallest ? "smallest" : "largest"},
                        {"found", number(best.found)}, {"extrapolated", number(best.extrapolated)},
                        {"attained", best.attained},   {"not_refuted", number(best.not_refuted)},
                        {"certified", best.certified}};
  if (!best.closed_form.empty()) document["closed_form"] = best.closed_form;
  document["witness"] = optional(best.witness);
  return document;
}

/// Rows of a matrix for reading; equal rows in a row are counted.
std::string rows_shown(const NamedValue& value) {
  const auto cols = static_cast<std::size_t>(value.shape.cols);
  std::string text;
  std::size_t shown_rows = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(value.shape.rows);) {
    const auto begin = value.entries.begin() + static_cast<std::ptrdiff_t>(i * cols);
    const auto end = begin + static_cast<std::ptrdiff_t>(cols);
    std::size_t repeats = 1;
    while (i + repeats < static_cast<std::size_t>(value.shape.rows) &&
           std::equal(begin, end, begin + static_cast<std::ptrdiff_t>(repeats * cols)))
      ++repeats;
    if (++shown_rows > 12) return text + "; ...";
    const std::vector<double> row(begin, cols > 12 ? begin + 12 : end);
    text += fmt::format("{}{}{}{}", text.empty() ? "" : "; ", fmt::join(row, ", "), cols > 12 ? ", ..." : "",
                        repeats > 1 ? fmt::format(" ({} equal rows)", repeats) : "");
    i += repeats;
  }
  return text;
}

std::string entries_shown(const std::vector<double>& entries) {
  std::string text;
  std::size_t groups = 0;
  for (std::size_t i = 0; i < entries.size();) {
    std::size_t repeats = 1;
    while (i + repeats < entries.size() && entries[i + repeats] == entries[i]) ++repeats;
    if (++groups > 16) return text + ", ...";
    const bool counted = repeats > 4;
    for (std::size_t k = 0; k < (counted ? 1 : repeats); ++k)
      text += fmt::format("{}{}", text.empty() ? "" : ", ", entries[i]);
    if (counted) text += fmt::format(" ({} times)", repeats);
    i += repeats;
  }
  return text;
}

}  // namespace

const NearMiss* Outcome::smallest_lie() const {
  const NearMiss* least = nullptr;
  for (const NearMiss& miss : near_misses)
    if (miss.refuted && (least == nullptr || miss.delta < least->delta)) least = &miss;
  return least;
}

std::string shown(const NamedValue& value) {
  if (value.shape.rank == 0) return fmt::format("{} = {}", value.name, value.entries.at(0));
  if (value.shape.rank == 1) return fmt::format("{} = ({})", value.name, entries_shown(value.entries));
  return fmt::format("{} = ({})", value.name, rows_shown(value));
}

ordered_json to_json(const Outcome& outcome) {
  ordered_json document{{"reading", outcome.reading},
                        {"tex", outcome.tex},
                        {"question", outcome.question},
                        {"verdict", std::string(engine::name(outcome.verdict))},
                        {"stands", outcome.stands()},
                        {"reason", outcome.reason},
                        {"would_change", outcome.would_change},
                        {"method", outcome.method},
                        {"domain", outcome.domain},
                        {"witness", optional(outcome.witness)},
                        {"tightest", optional(outcome.tightest)}};
  document["tightness"] = outcome.tightest ? number(outcome.tightest->relative_margin) : ordered_json(nullptr);
  if (outcome.best) document["best"] = to_json(*outcome.best);
  const NearMiss* lie = outcome.smallest_lie();
  document["smallest_lie_caught"] =
      lie == nullptr ? ordered_json(nullptr)
                     : ordered_json{{"name", lie->name}, {"statement", lie->statement}, {"delta", lie->delta}};
  ordered_json misses = ordered_json::array();
  for (const NearMiss& miss : outcome.near_misses)
    misses.push_back(
        {{"name", miss.name}, {"statement", miss.statement}, {"delta", miss.delta}, {"refuted", miss.refuted}});
  document["near_misses"] = misses;
  ordered_json assumptions = ordered_json::array();
  for (const Assumption& each : outcome.assumptions)
    assumptions.push_back({{"assumption", each.text}, {"needed", each.needed}, {"undecided", each.undecided}});
  document["assumptions"] = assumptions;
  document["repair"] = optional(outcome.repair);
  document["repair_of_exponent"] = optional(outcome.repair_of_exponent);
  document["remarks"] = outcome.remarks;
  document["evaluations"] = outcome.evaluations;
  document["seed"] = outcome.seed;
  document["seconds"] = outcome.seconds;
  return document;
}

void conclude(Outcome& outcome, engine::Verdict verdict, std::string method, std::string reason,
              std::string would_change) {
  outcome.verdict = verdict;
  outcome.method = std::move(method);
  outcome.reason = std::move(reason);
  outcome.would_change = std::move(would_change);
}

}  // namespace attest::referee
