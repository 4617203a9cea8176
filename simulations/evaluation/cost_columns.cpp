#include "simulations/evaluation/cost_columns.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/text/numbers.hpp"

namespace attest::evaluation {
namespace {

struct Column {
  const char *metric, *title;
  double unit;
  bool counts = false;
};

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr Column columns[] = {{"parameters", "Parameters", 1, true},
                              {"step_milliseconds", "ms per step", 1},
                              {"step_flops", "GFLOP per step", 1e9},
                              {"state_bytes", "State, MiB", mebibyte},
                              {"activation_bytes", "Activations, MiB", mebibyte}};

}  // namespace

const char* const cost_note =
    "Milliseconds per step are measured and move with what else the machine does. Operations and memory are counted by "
    "the cost laws of attention and its layers, without embedding, norms and classifier: state is weights, gradients "
    "and Adam's moments, activations what the backward pass of a batch needs at most.";

void put_cost(journal::Results& results, const TrainingCost& cost, double step_milliseconds) {
  results["parameters"] = cost.parameters;
  results["step_milliseconds"] = step_milliseconds;
  results["step_flops"] = cost.step_flops;
  results["state_bytes"] = cost.state_bytes;
  results["activation_bytes"] = cost.activation_bytes;
}

nlohmann::ordered_json cost_columns(const nlohmann::ordered_json& metrics) {
  nlohmann::ordered_json cells = nlohmann::ordered_json::array();
  for (const Column& column : columns) {
    if (!metrics.contains(column.metric) || metrics[column.metric]["mean"].is_null()) continue;
    const double mean = metrics[column.metric]["mean"].get<double>();
    cells.push_back({column.title,
                     column.counts ? reports::readable_count(mean) : reports::readable_number(mean / column.unit, 3)});
  }
  return cells;
}

}  // namespace attest::evaluation
