#include <fmt/core.h>

#include "simulations/measure/untrained/depth.hpp"

namespace attest::measure {
namespace {

constexpr int depth = 12;
constexpr int table_layers[] = {0, 1, 2, 4, 8, 12};
constexpr double half = 0.5;  // t of boosting, beside full fidelity t = 1

/// The rules that are compared; the standard residual is the third.
const std::vector<DepthRule>& rules() {
  static const std::vector<DepthRule> all = {
      {"no residual"},
      {"twicing, no residual", std::nullopt, true},
      {"standard residual", residual::ResidualRule{}},
      {"twicing, standard residual", residual::ResidualRule{}, true},
      {"boosting, t = 0.5", residual::boosting_rule(half)},
      {"boosting, t = 1", residual::boosting_rule(1)},
  };
  return all;
}

const DepthRule& standard_rule() { return rules()[2]; }

using Trace = std::vector<DepthState>;

std::vector<Trace> trace_units(const Sequences& sequences, const Plan& plan, DepthRule rule, bool normalised) {
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

std::string change_text(const Estimate& change) {
  if (change.lower > 0 || change.upper < 0) return fmt::format("moves it by {}", to_text(change));
  return fmt::format("leaves it where it is ({})", to_text(change));
}

}  // namespace

Measurement measure_depth(const Sequences& sequences, const Plan& plan) {
  Measurement result;
  result.id = "depth/" + sequences.name;
  result.title = "How alike tokens become over depth (" + sequences.name + ")";
  Table table{.columns = {"rule", "normalisation"}};
  Table differences{.columns = {"rule", "normalisation"}};
  std::string findings;
  for (const bool normalised : {false, true}) {
    const char* normalisation = normalised ? "pre-norm" : "none";
    Figure figure{.name = fmt::format("depth-{}-{}", normalised ? "prenorm" : "plain", sequences.stem()),
                  .title = fmt::format("Mean cosine between tokens, {} normalisation", normalised ? "with" : "without"),
                  .x_label = "layer",
                  .y_label = "mean cosine"};
    const std::vector<Trace> standard = trace_units(sequences, plan, standard_rule(), normalised);
    findings += fmt::format("\n\n{} the standard residual brings it to {}; on the same {}s,",
                            normalised ? "With layer normalisation before each attention" : "Without normalisation",
                            to_text(cosine_at(standard, depth)), sequences.unit);
    for (const DepthRule& rule : rules()) {
      const std::vector<Trace> traces = trace_units(sequences, plan, rule, normalised);
      std::vector<Number> numbers;
      for (const int layer : table_layers)
        numbers.push_back({fmt::format("cosine, layer {}", layer), cosine_at(traces, layer)});
      numbers.push_back({fmt::format("spread, layer {}", depth),
                         mean_estimate(column(traces, [](const Trace& trace) { return trace.back().spread; }))});
      add_row(result, table, {rule.name, normalisation}, numbers);
      if (&rule != &standard_rule()) {
        const Estimate difference = difference_at_end(traces, standard);
        add_row(result, differences, {rule.name, normalisation},
                {{fmt::format("difference of cosines, layer {}", depth), difference}});
        findings += fmt::format(" {} {};", rule.name, change_text(difference));
      }
      Series series{rule.name, "linespoints"};
      for (int layer = 0; layer <= depth; ++layer) series.add(layer, cosine_at(traces, layer));
      figure.series.push_back(std::move(series));
    }
    findings.back() = '.';
    figure.caption = fmt::format("Means over {} {}s with {:.0f} % asymptotic Student intervals.", plan.units,
                                 sequences.unit, 100 * confidence_level);
    result.figures.push_back(std::move(figure));
  }
  result.text = fmt::format(
      "Boosting, Prop 4.1 and Fig 6; Twicing, Section 3. Layers Y ← f(Y) + residual without MLP, f one"
      " self-attention with W_Q = W_K = W_V = I or its twicing (2A − A²)Y; boosting adds tY₀ + (1 − t)Y."
      " The mean cosine between tokens is {} at layer 0. At layer {}:\n\n{}",
      to_text(result.quantities.front().estimate), depth, findings.substr(2));
  table.caption = fmt::format(
      "Means over {} {}s of {} tokens with {:.0f} % asymptotic Student intervals. Spread: |Y - mean token|/|Y|.",
      plan.units, sequences.unit, sequences.usual_length, 100 * confidence_level);
  differences.caption = fmt::format(
      "Cosine minus that of the standard residual on the same {}s: mean with its {:.0f} % asymptotic Student interval.",
      sequences.unit, 100 * confidence_level);
  result.tables = {std::move(table), std::move(differences)};
  return result;
}

}  // namespace attest::measure
