// Norms of the Jacobians of trained residual networks.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "simulations/measure/trained/trained_measurements.hpp"

namespace attest::measure {

using checkpoints::FloatTensor;
using checkpoints::parameters_of;
using checkpoints::Values;
using models::LayerSpec;
using models::ModelSpec;
using models::ParameterSpec;
using models::ResidualSpec;
using tasks::Batch;
namespace {

constexpr std::uint32_t start_key = random::stream_key("measure/trained-jacobian");
constexpr int iterations = 8;
constexpr Index most_examples = 8;  // each costs 3 passes an iteration, a layer and a rule
// Central differences in single precision: the best step is about the cube root of the rounding, relative to the state.
constexpr float relative_step = 0.005F;

struct Rule {
  const char* name;
  std::optional<ResidualSpec> residual;  // none: the model's own
};

/// The model with the same weights under another residual rule. A learned t has no place in it.
TrainedModel under(const TrainedModel& trained, const ResidualSpec& residual) {
  ModelSpec spec = trained.spec();
  for (LayerSpec& layer : spec.layers) layer.residual = residual;
  std::map<std::string, const std::vector<float>*> known;
  for (std::size_t p = 0; p < trained.parameters().size(); ++p)
    known[trained.parameters()[p].name] = &trained.weights()[p];
  Values weights;
  for (const ParameterSpec& parameter : parameters_of(spec, trained.shape()))
    weights.push_back(*known.at(parameter.name));
  return {spec, trained.shape(), std::move(weights)};
}

/// Entries of one example.
std::span<float> example_of(FloatTensor& all, Index example) {
  const auto size = static_cast<std::size_t>(all.size() / all.extent(0));
  return all.values().subspan(static_cast<std::size_t>(example) * size, size);
}

double norm(std::span<const float> values) {
  double squares = 0;
  for (const float value : values) squares += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(squares);
}

/// Makes every example's entries a vector of length 1, and returns the lengths before.
std::vector<double> normalise(FloatTensor& all) {
  std::vector<double> lengths;
  for (Index b = 0; b < all.extent(0); ++b) {
    const auto one = example_of(all, b);
    lengths.push_back(norm(one));
    if (lengths.back() > 0)
      for (float& value : one) value = static_cast<float>(static_cast<double>(value) / lengths.back());
  }
  return lengths;
}

/// J v by a central difference; v has unit length an example.
FloatTensor pushed_forward(const TrainedModel& model, const FloatTensor& at, Index layers, const FloatTensor& v) {
  FloatTensor above = at, below = at;
  std::vector<float> steps;
  for (Index b = 0; b < at.extent(0); ++b) {
    const float step = relative_step * static_cast<float>(norm(example_of(above, b)));
    steps.push_back(step);
    const auto up = example_of(above, b), down = example_of(below, b);
    const auto size = static_cast<Index>(up.size());
    for (Index i = 0; i < size; ++i) {
      const float along = step * v.values()[static_cast<std::size_t>(b * size + i)];
      up[static_cast<std::size_t>(i)] += along;
      down[static_cast<std::size_t>(i)] -= along;
    }
  }
  FloatTensor moved = model.propagated(above, layers);
  const FloatTensor other = model.propagated(below, layers);
  const auto size = moved.values().size() / steps.size();
  for (std::size_t i = 0; i < moved.values().size(); ++i)
    moved.values()[i] = (moved.values()[i] - other.values()[i]) / (2 * steps[i / size]);
  return moved;
}

/// |dY_layers / dY_0| of each example, from below.
std::vector<double> norms_at(const TrainedModel& model, const FloatTensor& embedded, Index layers, std::uint64_t seed) {
  FloatTensor v(embedded.shape());
  random::Stream stream(seed, start_key, static_cast<std::uint64_t>(layers));
  for (float& value : v.values()) value = static_cast<float>(stream.normal());
  normalise(v);
  std::vector<double> best(static_cast<std::size_t>(embedded.extent(0)), 0.0);
  for (int i = 0; i < iterations; ++i) {
    FloatTensor w = pushed_forward(model, embedded, layers, v);
    normalise(w);
    v = model.pulled_back(embedded, layers, w);
    // |J^T w| for a unit w: a lower bound, however w was found.
    const std::vector<double> found = normalise(v);
    for (std::size_t b = 0; b < best.size(); ++b) best[b] = std::max(best[b], found[b]);
  }
  return best;
}

}  // namespace

Measurement measure_trained_jacobian(const TrainedSample& sample) {
  const Part& part = evaluated_part(sample.task);
  const Index examples = std::min(most_examples, evaluated_examples(sample.task, sample.examples));
  const Batch batch = sample.task.batch(part, 0, static_cast<std::size_t>(examples));
  const FloatTensor embedded = sample.model().embedded(batch);
  const Rule rules[] = {{"as trained", std::nullopt},
                        {"standard", ResidualSpec{}},
                        {"boosting, t = 0.5", ResidualSpec{ResidualSpec::Kind::boosting, 0.5, false, 0}}};
  Measurement result;
  result.id = "trained-jacobian/" + sample.stem("");
  result.title = fmt::format("Jacobians of the trained residual network ({})", sample.name());
  Table table{.columns = {"residual", "layers passed"}};
  Figure figure{.name = sample.stem("trained-jacobian"),
                .title = "Norm of the Jacobian of the first layers",
                .x_label = "layers passed",
                .y_label = "$|\\partial Y_l/\\partial Y_0|$",
                .y_log = true};
  std::string findings;
  for (const Rule& rule : rules) {
    std::optional<TrainedModel> changed;
    if (rule.residual) changed.emplace(under(sample.model(), *rule.residual));
    const TrainedModel& used = changed ? *changed : sample.model();
    Series series{rule.name, "linespoints"};
    for (std::size_t l = 1; l <= sample.layers(); ++l) {
      const auto estimate = measure::mean_estimate(norms_at(used, embedded, static_cast<Index>(l), sample.seed));
      add_row(result, table, {rule.name, std::to_string(l)}, {{"norm", estimate}});
      series.add(static_cast<double>(l), estimate);
    }
    findings += fmt::format(" {}: {} after the last layer.", rule.name, table.rows.back()[2]);
    figure.series.push_back(std::move(series));
  }
  table.caption = fmt::format(
      "Means over {} examples with {:.0f} % asymptotic Student intervals; lower bounds by {} steps of power iteration.",
      examples, 100 * measure::confidence_level, iterations);
  figure.caption = table.caption;
  result.text =
      "Boosting, Section 4: how much a change of the tokens before the first layer can be amplified. The same trained "
      "weights run with the residual they were trained with, with the standard one Y + f(Y), and with boosting tY₀ + "
      "(1 − t)Y + f(Y); only the first of these was trained for, so the others say what the rule does, not what a "
      "network trained with it would.\n\n" +
      findings.substr(1);
  result.tables.push_back(std::move(table));
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace attest::measure
