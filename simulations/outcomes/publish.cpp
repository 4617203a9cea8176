#include "simulations/outcomes/publish.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "kernels/statistics/welford.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/pages/training_report.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/evaluation/cost_columns.hpp"
#include "simulations/outcomes/evaluation_tables.hpp"
#include "simulations/outcomes/layer_names.hpp"
#include "simulations/outcomes/settings.hpp"
#include "simulations/outcomes/summary.hpp"
#include "simulations/outcomes/training_figures.hpp"
#include "simulations/outcomes/warnings.hpp"
#include "simulations/terminal/build_facts.hpp"

namespace attest::outcomes {

using attention::Index;
using evaluation::cost_note;
using experiment::TrainingSpec;
namespace {

using nlohmann::ordered_json;
using reports::counted;

std::string data_sentence(const Experiment& e) {
  const ModelSpec& model = e.variants.front().model;
  std::string how = e.training.device == TrainingSpec::Device::cuda ? "; on a CUDA device" : "";
  if (e.training.precision == TrainingSpec::Precision::bfloat16) how += "; matrix products in bfloat16";
  return fmt::format(
      "on {}: {} of {} for models of {}, {} and width {}; {} from {}, and for each of them the same batches in the "
      "same "
      "order for every variant{}",
      e.data.name, counted(e.training.steps, "step"), counted(e.training.batch * e.training.accumulate, "example"),
      counted(static_cast<Index>(model.layers.size()), "layer"), counted(model.heads, "head"), model.width,
      counted(e.seeds, "seed"), e.seed, how);
}

const ordered_json& variant_named(const ordered_json& summary, const ordered_json& name) {
  for (const ordered_json& variant : summary["variants"])
    if (variant["name"] == name) return variant;
  return summary["variants"].front();
}

std::vector<double> values_of(const ordered_json& summary, const ordered_json& variant, const std::string& metric) {
  return variant_named(summary, variant)["metrics"][metric]["values"].get<std::vector<double>>();
}

void add_to_variants(const Experiment& e, ordered_json& summary) {
  for (std::size_t i = 0; i < e.variants.size(); ++i) {
    ordered_json& variant = summary["variants"][i];
    variant["attention"] = attention_names(e.variants[i].model);
    variant["residual"] = residual_names(e.variants[i].model);
    if (const auto number = e.paper.values.find(e.variants[i].name); number != e.paper.values.end())
      variant["paper"] = number->second;
  }
}

void add_to_comparisons(const Experiment& e, ordered_json& summary) {
  for (ordered_json& one : summary["comparisons"]) {
    const std::string a = one["a"], b = one["b"], metric = one["metric"];
    const std::vector<double> treated = values_of(summary, a, metric), plain = values_of(summary, b, metric);
    ordered_json differences = ordered_json::array();
    statistics::Welford spread;
    for (std::size_t s = 0; s < treated.size(); ++s) {
      differences.push_back(treated[s] - plain[s]);
      spread.add(treated[s] - plain[s]);
    }
    one["values"] = differences;
    if (!one["detectable_deviations"].is_null() && spread.count() > 1)
      one["detectable"] = one["detectable_deviations"].get<double>() * std::sqrt(spread.variance());
    // A paper's difference is one of its own numbers, and speaks of the metric that they are of.
    const auto treatment = e.paper.values.find(a), of_another = e.paper.baselines.find(a),
               shared = e.paper.values.find(b);
    const bool known = of_another != e.paper.baselines.end() || shared != e.paper.values.end();
    if (metric == summary["metric"].get<std::string>() && treatment != e.paper.values.end() && known)
      one["paper"] = treatment->second - (of_another != e.paper.baselines.end() ? of_another->second : shared->second);
    if (const auto claim = e.paper.claims.find(a); claim != e.paper.claims.end()) one["claim"] = claim->second;
  }
}

}  // namespace

ordered_json illustrated(const Experiment& e, const ordered_json& summary,
                         const std::vector<journal::RunMeasurement>& curves) {
  ordered_json document = {{"schema", "attest-training-1"}};
  document.update(summary);
  document["version"] = terminal::version;
  document["data"] = data_sentence(e);
  document["data_set"] = e.data.name;
  const ModelSpec& model = e.variants.front().model;
  document["model"] = {{"layers", model.layers.size()}, {"width", model.width}, {"heads", model.heads}};
  document["level"] = e.comparison.level;
  document["power"] = power_sentence(e);
  if (!e.paper.source.empty()) document["paper"] = {{"source", e.paper.source}, {"note", e.paper.note}};
  add_to_variants(e, document);
  add_to_comparisons(e, document);
  document["cost_note"] = cost_note;
  document["tables"] = evaluation_tables(e, document);
  if (document.contains("settings")) document["tables"].push_back(settings_table(document["settings"]));
  if (document.contains("warnings") && !document["warnings"].empty())
    document["tables"].push_back(warnings_table(document["warnings"]));
  document["figures"] = training_figures(e, document, curves);
  return document;
}

std::string runs_csv(const ordered_json& summary) {
  std::vector<std::string> metrics;
  for (const auto& [name, value] : summary["variants"].front()["metrics"].items()) metrics.push_back(name);
  std::string csv = fmt::format("variant,seed,{}\n", fmt::join(metrics, ","));
  for (const ordered_json& variant : summary["variants"])
    for (std::size_t s = 0; s < variant["seeds"].get<std::size_t>(); ++s) {
      csv += fmt::format("{},{}", variant["name"].get<std::string>(), summary["seed"].get<std::uint64_t>() + s);
      for (const std::string& metric : metrics) {
        const ordered_json& value =
            variant["metrics"].contains(metric) ? variant["metrics"][metric]["values"][s] : ordered_json(nullptr);
        csv += value.is_null() ? "," : fmt::format(",{}", value.get<double>());
      }
      csv += '\n';
    }
  return csv;
}

std::string curves_csv(const std::vector<journal::RunMeasurement>& curves) {
  std::string csv = "variant,seed,step,metric,value\n";
  for (const journal::RunMeasurement& one : curves)
    csv += fmt::format("{},{},{},{},{}\n", one.variant, one.seed, one.measurement.step, one.measurement.metric,
                       one.measurement.value);
  return csv;
}

Published publish(const std::filesystem::path& directory, const Experiment& experiment, const ordered_json& summary,
                  const std::vector<journal::RunMeasurement>& curves) {
  const ordered_json document = illustrated(experiment, summary, curves);
  reports::write_file_atomically(directory / reports::training_file_name, document.dump(1) + "\n");
  reports::write_file_atomically(directory / "runs.csv", runs_csv(document));
  reports::write_file_atomically(directory / "curves.csv", curves_csv(curves));
  reports::WrittenReport report = reports::write_training_report(directory);
  return {std::move(report.page), std::move(report.remarks)};
}

}  // namespace attest::outcomes
