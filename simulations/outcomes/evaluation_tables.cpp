#include "simulations/outcomes/evaluation_tables.hpp"

#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/text/numbers.hpp"
#include "simulations/experiment/metric_names.hpp"
#include "simulations/models/model_kind.hpp"

namespace attest::outcomes {

using attention::Index;
using experiment::attack_title;
using experiment::attacked_metric;
using experiment::corrupted_metric;
using experiment::EvaluationSpec;
using experiment::mean_corruption_error;
using models::Measures;
namespace {

using nlohmann::ordered_json;
using reports::counted;

/// "0.512 [0.49, 0.53]": a mean in units of `unit`, with its interval where there is one; empty without the metric.
std::string mean_text(const ordered_json& variant, const std::string& metric, double unit = 1) {
  const ordered_json& metrics = variant["metrics"];
  if (!metrics.contains(metric) || metrics[metric]["mean"].is_null()) return "";
  const ordered_json& value = metrics[metric];
  std::string mean = fmt::format("{:.4g}", value["mean"].get<double>() / unit);
  const ordered_json& lower = value["interval"][0];
  const ordered_json& upper = value["interval"][1];
  if (lower.is_null() || upper.is_null() || lower == upper) return mean;
  return fmt::format("{} [{:.4g}, {:.4g}]", mean, lower.get<double>() / unit, upper.get<double>() / unit);
}

/// How many seeds have the metric at 1.
std::string seeds_with(const ordered_json& variant, const std::string& metric) {
  if (!variant["metrics"].contains(metric)) return "";
  int count = 0, all = 0;
  for (const ordered_json& value : variant["metrics"][metric]["values"]) {
    ++all;
    count += value == 1.0 ? 1 : 0;
  }
  return fmt::format("{} of {}", count, all);
}

using Cells = std::function<std::vector<std::string>(const ordered_json& variant)>;

ordered_json table(const ordered_json& summary, const std::string& caption, std::vector<std::string> columns,
                   const Cells& cells) {
  ordered_json rows = ordered_json::array();
  for (const ordered_json& variant : summary["variants"]) {
    std::vector<std::string> row = {variant["name"].get<std::string>()};
    for (std::string& cell : cells(variant)) row.push_back(std::move(cell));
    rows.push_back(row);
  }
  columns.insert(columns.begin(), "Variant");
  return {{"caption", caption}, {"columns", columns}, {"rows", rows}};
}

ordered_json attack_table(const EvaluationSpec& spec, const ordered_json& summary, const std::string& attack,
                          const std::vector<double>& budgets) {
  std::vector<std::string> columns = {"unharmed"};
  for (const double budget : budgets) columns.push_back(fmt::format("budget {}", budget));
  columns.insert(columns.end(), {"loss unharmed", "loss at the largest", "loss under noise of that norm",
                                 "accuracy under it", "zero gradients", "loss rises, seeds"});
  std::string caption = fmt::format(
      "Accuracy of {} under {}, budgets in 255ths of a pixel's range. The attack's own strength: its loss "
      "must rise with the budget and above that of random noise of the same norm, and gradients that are 0 everywhere "
      "hide a model instead of hardening it.",
      counted(spec.examples, "example"), attack_title(attack));
  if (attack == "spsa")
    caption += fmt::format(" {} of {}, without gradients.", counted(spec.spsa_steps, "step"),
                           counted(spec.spsa_samples, "random direction"));
  if (attack == "pgd") caption += fmt::format(" {} of {} budgets.", counted(spec.pgd_steps, "step"), spec.pgd_step);
  return table(summary, caption, columns, [&](const ordered_json& variant) {
    std::vector<std::string> row = {mean_text(variant, attacked_metric(attack, 0, "accuracy"))};
    for (const double budget : budgets) row.push_back(mean_text(variant, attacked_metric(attack, budget, "accuracy")));
    row.push_back(mean_text(variant, attacked_metric(attack, 0, "loss")));
    row.push_back(mean_text(variant, attacked_metric(attack, budgets.back(), "loss")));
    for (const char* what : {"loss", "accuracy"})
      row.push_back(mean_text(variant, attacked_metric("noise", budgets.back(), what)));
    row.push_back(mean_text(variant, attack + "_zero_gradients"));
    row.push_back(seeds_with(variant, attack + "_loss_rises"));
    return row;
  });
}

void add_corruption_tables(const Experiment& e, const ordered_json& summary, ordered_json& tables) {
  const EvaluationSpec& spec = e.evaluation;
  std::vector<std::string> columns = {"uncorrupted", "corrupted", "relative to " + e.comparison.baseline};
  for (int severity = 1; severity <= 5; ++severity) columns.push_back(fmt::format("severity {}", severity));
  tables.push_back(table(
      summary,
      fmt::format("Share of wrong answers to {} under {} ({}), means over them. Relative: the mean "
                  "over the corruptions of this error divided by the baseline's, mCE with another baseline than "
                  "AlexNet.",
                  counted(spec.examples, "image"), counted(static_cast<Index>(spec.corruptions.size()), "corruption"),
                  spec.corrupted_set.empty() ? "made by their published definitions, frost with a drawn texture"
                                             : "the published images"),
      columns, [](const ordered_json& variant) {
        std::vector<std::string> row;
        for (const char* metric : {"uncorrupted_error", "corrupted_error", mean_corruption_error})
          row.push_back(mean_text(variant, metric));
        for (int severity = 1; severity <= 5; ++severity) row.push_back(mean_text(variant, corrupted_metric(severity)));
        return row;
      }));
  columns.clear();
  for (const std::string& kind : spec.corruptions) columns.push_back(kind.substr(0, kind.find('_')));
  tables.push_back(table(summary, "The same error by corruption, mean over the severities.", columns,
                         [&](const ordered_json& variant) {
                           std::vector<std::string> row;
                           for (const std::string& kind : spec.corruptions)
                             row.push_back(mean_text(variant, corrupted_metric(kind)));
                           return row;
                         }));
}

}  // namespace

ordered_json evaluation_tables(const Experiment& e, const ordered_json& summary) {
  const EvaluationSpec& spec = e.evaluation;
  ordered_json tables = ordered_json::array();
  if (!spec.fgsm.empty()) tables.push_back(attack_table(spec, summary, "fgsm", spec.fgsm));
  if (!spec.pgd.empty()) tables.push_back(attack_table(spec, summary, "pgd", spec.pgd));
  if (!spec.spsa.empty()) tables.push_back(attack_table(spec, summary, "spsa", spec.spsa));
  if (!spec.corruptions.empty()) add_corruption_tables(e, summary, tables);
  if (spec.swapped_words > 0) {
    const bool language = traits_of(e.variants.front().model.kind).measures == Measures::perplexity;
    const std::string what = language ? "perplexity" : "accuracy";
    const std::string caption = fmt::format("{} of {} {}, clean and with {:g} % of the words replaced by \"AAA\".",
                                            language ? "Perplexity per token" : "Accuracy", spec.examples,
                                            language ? "windows" : "texts", 100 * spec.swapped_words);
    tables.push_back(table(summary, caption, {"clean", "swapped"}, [&](const ordered_json& variant) {
      return std::vector<std::string>{mean_text(variant, "words_clean_" + what),
                                      mean_text(variant, "words_swapped_" + what)};
    }));
  }
  if (spec.cost)
    tables.push_back(table(
        summary,
        "Cost of one example: counted operations of a forward pass and memory of one layer's attention by the cost "
        "model, measured time of a forward and backward pass on one thread, and the largest memory of the process with "
        "all its runs. Measured numbers move with what else the machine does.",
        {"attention, Mflop", "products, Mflop", "attention, KiB", "measured, ms", "process, MiB"},
        [](const ordered_json& variant) {
          return std::vector<std::string>{
              mean_text(variant, "attention_flops", 1e6), mean_text(variant, "product_flops", 1e6),
              mean_text(variant, "attention_bytes", 1024), mean_text(variant, "example_seconds", 1e-3),
              mean_text(variant, "process_peak_bytes", 1024 * 1024)};
        }));
  return tables;
}

}  // namespace attest::outcomes
