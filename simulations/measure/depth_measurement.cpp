#include <fmt/core.h>

#include "simulations/measure/depth.hpp"

namespace attest::simulations {
namespace {

constexpr int depth = 12;
constexpr int table_layers[] = {0, 1, 2, 4, 8, 12};
constexpr double half = 0.5;  // t of boosting, beside full fidelity t = 1

constexpr ResidualRule rules[] = {
    {"no residual", 0, 0, false, false},
    {"twicing, no residual", 0, 0, true, false},
    {"standard residual", 1, 0, false, false},
    {"twicing, standard residual", 1, 0, true, false},
    {"boosting, t = 0.5", 1 - half, half, false, false},
    {"boosting, t = 1", 0, 1, false, false},
};

constexpr const ResidualRule& standard_rule = rules[2];

using Trace = std::vector<DepthState>;

std::vector<Trace> trace_units(const Sequences& sequences, const Plan& plan, ResidualRule rule, bool normalised) {
  rule.normalised = normalised;
  return for_each_unit(
      plan, [&](std::uint64_t unit) { return trace_depth(sequences.draw(unit, sequences.usual_length), rule, depth); });
}

// Mean difference of last cosines, sequence by sequence: far narrower than the two means taken apart.
Estimate difference_at_end(const std::vector<Trace>& traces, const std::vector<Trace>& standard) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    differences.push_back(traces[i].back().cosine - standard[i].back().cosine);
  }
  return mean_estimate(differences);
}

Estimate cosine_at(const std::vector<Trace>& traces, int layer) {
  return mean_estimate(
      column(traces, [&](const Trace& trace) { return trace[static_cast<std::size_t>(layer)].cosine; }));
}

}  // namespace

Measurement measure_depth(const Sequences& sequences, const Plan& plan) {
  Measurement result;
  result.id = "depth/" + sequences.name;
  result.title = "How alike tokens become over depth (" + sequences.name + ")";
  Table table;
  table.columns = {"rule", "normalisation"};
  Table differences;
  differences.columns = {"rule", "normalisation"};
  std::string findings;
  for (const bool normalised : {false, true}) {
    const char* normalisation = normalised ? "pre-norm" : "none";
    Figure figure{fmt::format("depth-{}-{}", normalised ? "prenorm" : "plain", sequences.stem()),
                  fmt::format("Mean cosine between tokens, {} normalisation", normalised ? "with" : "without"),
                  "layer",
                  "mean cosine",
                  false,
                  false,
                  {},
                  {},
                  ""};
    findings += normalised ? " With layer normalisation before each attention:" : " Without normalisation:";
    const std::vector<Trace> standard = trace_units(sequences, plan, standard_rule, normalised);
    for (const ResidualRule& rule : rules) {
      const std::vector<Trace> traces = trace_units(sequences, plan, rule, normalised);
      std::vector<Number> numbers;
      for (const int layer : table_layers)
        numbers.push_back({fmt::format("cosine, layer {}", layer), cosine_at(traces, layer)});
      numbers.push_back({fmt::format("spread, layer {}", depth),
                         mean_estimate(column(traces, [](const Trace& trace) { return trace.back().spread; }))});
      add_row(result, table, {rule.name, normalisation}, numbers);
      if (&rule != &standard_rule) {
        add_row(result, differences, {rule.name, normalisation},
                {{fmt::format("difference of cosines, layer {}", depth), difference_at_end(traces, standard)}});
      }
      Series series{rule.name, "linespoints", {}, {}, {}, {}};
      for (int layer = 0; layer <= depth; ++layer) series.add(layer, cosine_at(traces, layer));
      figure.series.push_back(std::move(series));
      findings += fmt::format(" {} {:.3f},", rule.name, cosine_at(traces, depth).value);
    }
    findings.back() = '.';
    figure.caption = fmt::format("Means over {} {}s with {:.0f} % Student intervals.", plan.units, sequences.unit,
                                 100 * confidence_level);
    result.figures.push_back(std::move(figure));
  }
  const double start = result.quantities.front().estimate.value;
  result.text = fmt::format(
      "Boosting, Prop 4.1 and Fig 6; Twicing, Section 3: layers Y <- f(Y) + residual without MLP, f one self-attention "
      "with "
      "W_Q = W_K = W_V = I, or its twicing (2A - A^2) Y; boosting adds t Y_0 + (1 - t) Y. The mean cosine between "
      "tokens is "
      "{:.3f} at layer 0; at layer {} it is:{}",
      start, depth, findings);
  table.caption =
      fmt::format("Means over {} {}s of {} tokens with {:.0f} % Student intervals. Spread: |Y - mean token|/|Y|.",
                  plan.units, sequences.unit, sequences.usual_length, 100 * confidence_level);
  differences.caption = fmt::format(
      "Cosine minus that of the standard residual on the same {}s: mean with its {:.0f} % Student interval.",
      sequences.unit, 100 * confidence_level);
  result.tables.push_back(std::move(table));
  result.tables.push_back(std::move(differences));
  return result;
}

}  // namespace attest::simulations
