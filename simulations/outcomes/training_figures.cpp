#include "simulations/outcomes/training_figures.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/text/numbers.hpp"
#include "simulations/experiment/metric_names.hpp"

namespace attest::outcomes {

using experiment::attack_title;
using experiment::attacked_metric;
using experiment::LayerMetric;
using experiment::VariantSpec;
namespace {

using nlohmann::ordered_json;

ordered_json axis(const std::string& label) { return {{"label", label}, {"scale", "linear"}}; }

ordered_json figure_of(const std::string& name, const std::string& title, const std::string& x, const std::string& y,
                       ordered_json series, const std::string& caption) {
  return {{"name", name}, {"title", title}, {"x", axis(x)}, {"y", axis(y)}, {"series", series}, {"caption", caption}};
}

/// Every difference of one metric on a line of its own, named.
ordered_json differences_figure(const ordered_json& comparisons, const std::string& metric) {
  ordered_json points = ordered_json::array(), places = ordered_json::array();
  std::string baseline;
  for (const ordered_json& one : comparisons) {
    if (one["metric"] != metric) continue;
    const double place = static_cast<double>(places.size()) + 1;
    points.push_back({one["difference"], place, one["interval"][0], one["interval"][1]});
    places.push_back({place, one["a"]});
    baseline = one["b"];
  }
  ordered_json figure = figure_of(
      "differences-" + metric, fmt::format("Difference to {}", baseline), spoken_metric(metric), "",
      ordered_json::array({{{"name", ""}, {"style", "points"}, {"points", points}}}),
      "Mean of the paired differences and its interval, widened for the number of comparisons; none where one seed or "
      "equal differences leave it open.");
  figure["y"]["places"] = places;
  figure["references"] = ordered_json::array({{{"name", ""}, {"x", 0}}});
  return figure;
}

/// With more layers than these, numbers at round places read better than one per layer.
constexpr std::size_t most_named_layers = 13;

struct Spread {
  double sum = 0, least = 0, greatest = 0;
  int count = 0;

  void add(double value) {
    least = count == 0 ? value : std::min(least, value);
    greatest = count == 0 ? value : std::max(greatest, value);
    sum += value;
    ++count;
  }
};

/// Means over the seeds of one metric over the steps, one series per variant in the experiment's order.
ordered_json curves_figure(const Experiment& e, const std::vector<journal::RunMeasurement>& curves,
                           const std::string& metric) {
  std::map<std::string, std::map<std::int64_t, Spread>> by_variant;
  for (const journal::RunMeasurement& one : curves)
    if (one.measurement.metric == metric) by_variant[one.variant][one.measurement.step].add(one.measurement.value);
  ordered_json series = ordered_json::array();
  for (const VariantSpec& variant : e.variants) {
    ordered_json points = ordered_json::array();
    for (const auto& [step, spread] : by_variant[variant.name])
      points.push_back({step, spread.sum / spread.count, spread.least, spread.greatest});
    const char* style = points.size() > 40 ? "line" : "linespoints";
    if (!points.empty()) series.push_back({{"name", variant.name}, {"style", style}, {"points", points}});
  }
  return figure_of(
      "curve-" + metric, spoken_metric(metric), "step", spoken_metric(metric), series,
      fmt::format("Mean over {}, with the least and the greatest of them.", reports::counted(e.seeds, "seed")));
}

/// The mean of a metric with its interval, at x; nothing where the variant has none.
void add_point(ordered_json& points, const ordered_json& variant, const std::string& metric, double x) {
  const ordered_json& metrics = variant["metrics"];
  if (!metrics.contains(metric)) return;
  const ordered_json& value = metrics[metric];
  const auto end = [&](int which) {
    return value["interval"][which].is_null() ? value["mean"] : value["interval"][which];
  };
  points.push_back({x, value["mean"], end(0), end(1)});
}

ordered_json attack_figure(const ordered_json& summary, const std::string& attack, const std::vector<double>& budgets) {
  ordered_json series = ordered_json::array();
  for (const ordered_json& variant : summary["variants"]) {
    ordered_json points = ordered_json::array();
    add_point(points, variant, attacked_metric(attack, 0, "accuracy"), 0);
    for (const double budget : budgets) add_point(points, variant, attacked_metric(attack, budget, "accuracy"), budget);
    if (!points.empty()) series.push_back({{"name", variant["name"]}, {"style", "linespoints"}, {"points", points}});
  }
  return figure_of("attack-" + attack, fmt::format("Accuracy under {}", attack_title(attack)), "budget in 255ths",
                   "accuracy", series, "Means over the seeds with Student's intervals, which are asymptotic.");
}

/// A metric that every layer has.
ordered_json layers_figure(const Experiment& e, const ordered_json& summary, LayerMetric what) {
  ordered_json series = ordered_json::array();
  for (const ordered_json& variant : summary["variants"]) {
    ordered_json points = ordered_json::array();
    for (std::size_t l = 0; l <= e.variants.front().model.layers.size(); ++l)
      add_point(points, variant, layer_metric(what, l), static_cast<double>(l));
    if (!points.empty()) series.push_back({{"name", variant["name"]}, {"style", "linespoints"}, {"points", points}});
  }
  const bool tokens = what == LayerMetric::token_cosine;
  ordered_json places = ordered_json::array();
  for (std::size_t l = 0; l < e.variants.front().model.layers.size() + (tokens ? 1 : 0); ++l)
    places.push_back({l, std::to_string(l)});
  ordered_json figure = figure_of(tokens ? "token-cosine" : "head-distance",
                                  tokens ? "Mean cosine between tokens" : "Mean distance between heads",
                                  tokens ? "layers passed" : "layer", tokens ? "cosine" : "distance of outputs", series,
                                  "Means over the seeds with Student's intervals, which are asymptotic.");
  if (places.size() <= most_named_layers) figure["x"]["places"] = places;
  return figure;
}

void add_unless_empty(ordered_json& figures, ordered_json figure) {
  if (!figure["series"].empty()) figures.push_back(std::move(figure));
}

}  // namespace

std::string spoken_metric(std::string metric) {
  std::replace(metric.begin(), metric.end(), '_', ' ');
  return metric;
}

ordered_json training_figures(const Experiment& e, const ordered_json& summary,
                              const std::vector<journal::RunMeasurement>& curves) {
  ordered_json figures = ordered_json::array();
  std::vector<std::string> compared, recorded;
  for (const ordered_json& one : summary["comparisons"])
    if (const std::string metric = one["metric"]; std::find(compared.begin(), compared.end(), metric) == compared.end())
      compared.push_back(metric);
  for (const std::string& metric : compared) figures.push_back(differences_figure(summary["comparisons"], metric));
  for (const journal::RunMeasurement& one : curves) {
    const std::string& metric = one.measurement.metric;
    if (std::find(recorded.begin(), recorded.end(), metric) == recorded.end()) recorded.push_back(metric);
  }
  std::sort(recorded.begin(), recorded.end());
  for (const std::string& metric : recorded) add_unless_empty(figures, curves_figure(e, curves, metric));
  if (!e.evaluation.fgsm.empty()) add_unless_empty(figures, attack_figure(summary, "fgsm", e.evaluation.fgsm));
  if (!e.evaluation.pgd.empty()) add_unless_empty(figures, attack_figure(summary, "pgd", e.evaluation.pgd));
  if (!e.evaluation.spsa.empty()) add_unless_empty(figures, attack_figure(summary, "spsa", e.evaluation.spsa));
  if (e.evaluation.attacks()) add_unless_empty(figures, attack_figure(summary, "noise", noise_budgets(e.evaluation)));
  if (e.evaluation.tokens) add_unless_empty(figures, layers_figure(e, summary, LayerMetric::token_cosine));
  if (e.evaluation.heads) add_unless_empty(figures, layers_figure(e, summary, LayerMetric::head_distance));
  return figures;
}

}  // namespace attest::outcomes
