#include "simulations/outcomes/summary.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/text/numbers.hpp"
#include "simulations/evaluation/cost_columns.hpp"
#include "simulations/outcomes/comparison.hpp"

namespace attest::outcomes {

using attention::Index;
using evaluation::cost_columns;
using evaluation::cost_note;
using experiment::VariantSpec;
namespace {

using nlohmann::ordered_json;
using reports::counted;

ordered_json number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); }

ordered_json ends(const statistics::Interval& interval) { return {number(interval.lower), number(interval.upper)}; }

/// Accuracies and mean IoU: shares that had better be 1.
bool is_accuracy(const std::string& metric) {
  return metric.find("accuracy") != std::string::npos || metric.ends_with("_iou");
}

bool more_is_better(const std::string& metric) { return is_accuracy(metric); }

/// The smallest difference that matters is one of the primary metric.
ComparisonRule rule_for(const Experiment& e, const std::string& metric, bool primary) {
  ComparisonRule rule{more_is_better(metric), e.comparison.level, comparisons_of(e),
                      primary ? e.comparison.smallest : 0};
  if (is_accuracy(metric)) rule.range = {0, 1};
  return rule;
}

/// "a better" with the variant's name, and other verdicts as they are.
std::string verdict_in_names(const ordered_json& comparison) {
  std::string verdict = comparison["verdict"];
  for (const char* side : {"a", "b"})
    if (verdict == std::string(side) + " better") return comparison[side].get<std::string>() + " better";
  return verdict;
}

/// A metric's values over the seeds.
std::vector<double> values_of(const Experiment& e, const AllResults& results, const std::string& variant,
                              const std::string& metric) {
  std::vector<double> values;
  for (Index s = 0; s < e.seeds; ++s)
    values.push_back(results.at({variant, e.seed + static_cast<std::uint64_t>(s)}).at(metric));
  return values;
}

/// Rows of a table for a terminal: the first column to the left, the others to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c == widths.size()) widths.push_back(0);
      widths[c] = std::max(widths[c], row[c].size());
    }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    text += fmt::format("{:<{}}", row.front(), widths.front());
    for (std::size_t c = 1; c < row.size(); ++c) text += fmt::format("  {:>{}}", row[c], widths[c]);
    text += "\n";
  }
  return text;
}

std::string interval_text(const ordered_json& interval, int digits) {
  if (interval[0].is_null() || interval[1].is_null()) return "no interval";
  return fmt::format("[{:.{}f}, {:.{}f}]", interval[0].get<double>(), digits, interval[1].get<double>(), digits);
}

}  // namespace

std::pair<std::string, bool> compared_metric(const Experiment& experiment, const journal::Results& measured) {
  std::string metric = experiment.comparison.metric;
  if (metric.empty()) {
    const bool tested = measured.contains("test_loss") || measured.contains("test_rmse");
    const std::string part = tested ? "test" : "validation";
    metric = part + (measured.contains(part + "_rmse")         ? "_rmse"
                     : measured.contains(part + "_mean_iou")   ? "_mean_iou"
                     : measured.contains(part + "_perplexity") ? "_loss"
                                                               : "_accuracy");
  }
  return {metric, more_is_better(metric)};
}

std::size_t comparisons_of(const Experiment& e) {
  return std::max<std::size_t>(1, (e.variants.size() - 1) * (1 + e.comparison.also.size()));
}

std::string power_sentence(const Experiment& e) {
  if (e.variants.size() < 2) return "one variant: nothing to compare";
  const std::size_t comparisons = comparisons_of(e);
  const std::size_t least = least_seeds(comparisons, e.comparison.level);
  const std::string asked =
      fmt::format("{} with {} at level {}{}", counted(static_cast<Index>(comparisons), "comparison"),
                  counted(e.seeds, "paired seed"), e.comparison.level, comparisons == 1 ? "" : " together");
  if (static_cast<std::size_t>(e.seeds) < least)
    return fmt::format(
        "{}: no verdict is possible with fewer than {} seeds, all in favour of one variant; give seeds = {} or more, "
        "or go on later with more of them",
        asked, least, least);
  const double deviations =
      detectable_difference(static_cast<std::size_t>(e.seeds), comparisons, e.comparison.level, e.comparison.power);
  std::string sentence = fmt::format(
      "{} find{}, with probability {}, a difference of {:.2f} standard deviations between seeds, if it varies as a "
      "normal law",
      asked, comparisons == 1 ? "s" : "", e.comparison.power, deviations);
  if (e.comparison.expected_deviation > 0)
    sentence += fmt::format(": {:.4f} where these are {}", deviations * e.comparison.expected_deviation,
                            e.comparison.expected_deviation);
  return sentence;
}

ordered_json summarise(const Experiment& e, const AllResults& results, double seconds) {
  const std::string metric = compared_metric(e, results.at({e.variants.front().name, e.seed})).first;
  std::vector<std::string> compared = {metric};
  compared.insert(compared.end(), e.comparison.also.begin(), e.comparison.also.end());
  ordered_json variants = ordered_json::array(), comparisons = ordered_json::array();
  for (const VariantSpec& variant : e.variants) {
    ordered_json metrics = ordered_json::object();
    for (const auto& [name, value] : results.at({variant.name, e.seed})) {
      const std::vector<double> values = values_of(e, results, variant.name, name);
      double sum = 0;
      for (const double one : values) sum += one;
      metrics[name] = {{"mean", number(sum / static_cast<double>(values.size()))},
                       {"interval", ends(mean_interval(values, e.comparison.level))},
                       {"interval_class", "asymptotic"},
                       {"values", values}};
    }
    for (const std::string& one : compared)
      if (!metrics.contains(one))
        throw std::invalid_argument(fmt::format("this experiment does not measure the compared metric {}", one));
    variants.push_back({{"name", variant.name}, {"seeds", e.seeds}, {"metrics", metrics}});
    if (ordered_json cost = cost_columns(metrics); !cost.empty()) variants.back()["cost"] = std::move(cost);
  }
  const double detectable = detectable_difference(static_cast<std::size_t>(e.seeds), comparisons_of(e),
                                                  e.comparison.level, e.comparison.power);
  const std::string& baseline = e.comparison.baseline;
  for (const std::string& one : compared)
    for (const VariantSpec& variant : e.variants) {
      if (variant.name == baseline) continue;
      const Difference d = compare(values_of(e, results, variant.name, one), values_of(e, results, baseline, one),
                                   rule_for(e, one, one == metric));
      comparisons.push_back({{"a", variant.name},
                             {"b", baseline},
                             {"metric", one},
                             {"difference", number(d.mean)},
                             {"interval", ends(d.interval)},
                             {"interval_class", "symmetric"},
                             {"verdict", d.verdict},
                             {"e_value", number(d.e_value)},
                             {"pairs", d.pairs},
                             {"decided_at", d.decided_at > 0 ? ordered_json(d.decided_at) : ordered_json(nullptr)},
                             {"would_decide", d.would_decide ? ordered_json(*d.would_decide) : ordered_json(nullptr)},
                             {"detectable_deviations", number(detectable)}});
      if (d.range_interval) comparisons.back()["range_interval"] = ends(*d.range_interval);
    }
  return {{"experiment", e.name},
          {"title", e.title},
          {"size", e.size},
          {"seed", e.seed},
          {"metric", metric},
          {"variants", variants},
          {"comparisons", comparisons},
          {"level", e.comparison.level},
          {"smallest", e.comparison.smallest},
          {"assumption", paired_assumption},
          {"seconds", number(seconds)}};
}

std::string summary_table(const ordered_json& summary) {
  const std::string metric = summary["metric"];
  std::vector<std::vector<std::string>> rows = {{"variant", metric, "interval"}};
  bool head = true;
  for (const ordered_json& variant : summary["variants"]) {
    const ordered_json& value = variant["metrics"][metric];
    std::vector<std::string> row = {variant["name"], fmt::format("{:.4f}", value["mean"].get<double>()),
                                    interval_text(value["interval"], 4)};
    if (variant.contains("cost"))
      for (const ordered_json& column : variant["cost"]) {
        if (head) rows.front().push_back(column[0]);
        row.push_back(column[1]);
      }
    head = false;
    rows.push_back(std::move(row));
  }
  std::string text = aligned(rows) + "Intervals of means are Student's, which are asymptotic.";
  if (rows.front().size() > 3) text += std::string(" ") + cost_note;
  text += "\n";
  for (const ordered_json& one : summary["comparisons"])
    text +=
        fmt::format("{} against {}{}: {} (difference {:+.4f}, {}{})\n", one["a"].get<std::string>(),
                    one["b"].get<std::string>(), one["metric"] == metric ? "" : ", " + one["metric"].get<std::string>(),
                    verdict_in_names(one), one["difference"].get<double>(), interval_text(one["interval"], 4),
                    one["would_decide"].is_null()
                        ? ""
                        : fmt::format("; {} like these would decide", counted(one["would_decide"].get<int>(), "seed")));
  if (!summary["comparisons"].empty())
    text += fmt::format("Verdicts hold after every number of seeds, together with probability {}, if {}.\n",
                        1 - summary["level"].get<double>(), summary["assumption"].get<std::string>());
  return text;
}

}  // namespace attest::outcomes
