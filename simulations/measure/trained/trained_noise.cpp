// Signal and noise through trained attention.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "simulations/measure/trained/layer_measures.hpp"
#include "simulations/measure/trained/trained_measurements.hpp"
#include "simulations/measure/untrained/snr.hpp"

namespace attest::measure {

using checkpoints::LayerTrace;
using checkpoints::Trace;
using models::ModelShape;
namespace {

constexpr std::uint32_t noise_key = random::stream_key("measure/trained-noise");
constexpr double deviation = 0.5;        // of noise on standardised numbers
constexpr double replaced_tokens = 0.1;  // share of tokens that noise replaces

Batch with_noise(const TrainedSample& sample, Batch batch, Index first) {
  const auto count = static_cast<std::size_t>(batch.count);
  const std::size_t values = batch.values.size() / count, tokens = batch.tokens.size() / count;
  const ModelShape& shape = sample.model().shape();
  const auto vocabulary = static_cast<std::uint64_t>(std::max<Index>(1, vocabulary_of(sample.model().spec(), shape)));
  for (std::size_t b = 0; b < count; ++b) {
    random::Stream stream(sample.seed, noise_key, static_cast<std::uint64_t>(first) + b);
    for (std::size_t i = b * values; i < (b + 1) * values; ++i)
      batch.values[i] += static_cast<float>(deviation * stream.normal());
    for (std::size_t i = b * tokens; i < (b + 1) * tokens; ++i) {
      const bool replace = stream.uniform(0, 1) < replaced_tokens;
      const auto other = static_cast<std::int64_t>(stream.integer(vocabulary));
      if (replace) batch.tokens[i] = other;
    }
  }
  return batch;
}

/// Both readings of one layer of one example.
struct LayerTerms {
  std::optional<SnrTerms> whole, weights;
};

/// All heads side by side, N x C: what `matrix` makes of them, or they themselves without one.
Eigen::MatrixXd side_by_side(const FloatTensor& values, const FloatTensor* matrix, Index example, Index rows) {
  const Index heads = values.extent(1), features = values.extent(3);
  Eigen::MatrixXd all(rows, heads * features);
  for (Index h = 0; h < heads; ++h) {
    Eigen::MatrixXd one = head_of(values, example, h, rows);
    if (matrix != nullptr) one = (head_of(*matrix, example, h, rows).leftCols(rows) * one).eval();
    all.middleCols(h * features, features) = one;
  }
  return all;
}

LayerTerms look(const LayerTrace& clean, const LayerTrace& noisy, Index example, Index rows) {
  const Eigen::MatrixXd u = tokens_of(clean.input, example, rows), f = tokens_of(clean.attended, example, rows);
  LayerTerms terms;
  terms.whole =
      measure::snr_terms(u, tokens_of(noisy.input, example, rows) - u, f, tokens_of(noisy.attended, example, rows) - f);
  if (noisy.matrix.empty()) return terms;
  const Eigen::MatrixXd v = side_by_side(clean.values, nullptr, example, rows);
  const Eigen::MatrixXd smoothed = side_by_side(clean.values, &noisy.matrix, example, rows);
  terms.weights = measure::snr_terms(v, side_by_side(noisy.values, nullptr, example, rows) - v, smoothed,
                                     side_by_side(noisy.values, &noisy.matrix, example, rows) - smoothed);
  return terms;
}

std::vector<std::vector<LayerTerms>> look_at_block(const TrainedSample& sample, const Batch& batch, Index first) {
  const Trace clean = sample.model().trace(batch, false);
  const Trace noisy = sample.model().trace(with_noise(sample, batch, first), true);
  std::vector<std::vector<LayerTerms>> all;
  for (Index b = 0; b < batch.count; ++b) {
    const Index rows = present_tokens(sample.model().spec(), batch, b, clean.layers[0].input.extent(1));
    all.emplace_back();
    for (std::size_t l = 0; l < clean.layers.size(); ++l)
      all.back().push_back(look(clean.layers[l], noisy.layers[l], b, rows));
  }
  return all;
}

/// The terms of one layer and reading over the examples that have them.
std::vector<SnrTerms> terms_of(const std::vector<std::vector<LayerTerms>>& examples, std::size_t layer,
                               std::optional<SnrTerms> LayerTerms::*reading) {
  std::vector<SnrTerms> found;
  for (const auto& example : examples)
    if (const auto& terms = example[layer].*reading; terms && std::isfinite(terms->ratio)) found.push_back(*terms);
  return found;
}

}  // namespace

Measurement measure_trained_noise(const TrainedSample& sample) {
  const auto examples = for_each_trained_example(
      sample, [&](const Batch& batch, Index first) { return look_at_block(sample, batch, first); });
  Measurement result;
  result.id = "trained-snr/" + sample.stem("");
  result.title = fmt::format("Does trained attention suppress noise more than signal? ({})", sample.name());
  Table table{.columns = {"reading", "layer"}};
  Figure figure{.name = sample.stem("trained-snr"),
                .title = "SNR ratio of every layer",
                .x_label = "layer",
                .y_label = "$\\sigma(y+\\hat y)/\\sigma(y)$"};
  std::string findings;
  std::size_t least = examples.size(), most = 0;
  for (const auto& [name, reading] :
       {std::pair{"sub-layer", &LayerTerms::whole}, std::pair{"weights", &LayerTerms::weights}}) {
    Series series{name, "linespoints"};
    std::size_t rising_layers = 0, holding_layers = 0, layers = 0;
    for (std::size_t l = 0; l < sample.layers(); ++l) {
      const std::vector<SnrTerms> terms = terms_of(examples, l, reading);
      if (terms.size() < 2) continue;
      least = std::min(least, terms.size());
      most = std::max(most, terms.size());
      const auto mean = [&](auto member) { return measure::mean_estimate(measure::column(terms, member)); };
      const auto share = [&](auto has) {
        return measure::share_estimate(std::count_if(terms.begin(), terms.end(), has),
                                       static_cast<std::int64_t>(terms.size()));
      };
      const Estimate ratio = mean([](const SnrTerms& t) { return t.ratio; });
      const Estimate holds = share([](const SnrTerms& t) { return t.hypothesis_holds(); });
      add_row(result, table, {name, std::to_string(l)},
              {{"α", mean([](const SnrTerms& t) { return t.alpha; })},
               {"β", mean([](const SnrTerms& t) { return t.beta; })},
               {"γ", mean([](const SnrTerms& t) { return t.gamma; })},
               {"SNR ratio", ratio},
               {"hypothesis holds", holds},
               {"SNR rises", share([](const SnrTerms& t) { return t.ratio > 1; })}});
      series.add(static_cast<double>(l), ratio);
      ++layers;
      rising_layers += ratio.lower > 1 ? 1 : 0;
      holding_layers += holds.value > 0.5 ? 1 : 0;
    }
    if (layers == 0) continue;
    findings += fmt::format(
        " Reading \"{}\": the mean ratio is certainly above 1 in {} of {} layers; the hypothesis holds for most "
        "examples in {}.",
        name, rising_layers, layers, holding_layers);
    figure.series.push_back(std::move(series));
  }
  figure.references.push_back({"no change", "line", {0, static_cast<double>(sample.layers()) - 1}, {1, 1}});
  figure.caption =
      "Means over the examples with Student's asymptotic intervals; above 1 the signal-to-noise ratio rises.";
  table.caption = fmt::format(
      "Means over {} examples, each taken whole, with {:.0f} % asymptotic Student intervals; shares with Clopper and "
      "Pearson's.{}",
      least == most ? std::to_string(most) : fmt::format("{} to {}", least, most), 100 * measure::confidence_level,
      least < examples.size()
          ? fmt::format(" Left out, of {}: those whose noise was gone after the layer.", examples.size())
          : "");
  result.text =
      "Boosting, Prop 3.1, on trained weights. α = |û|/|u|, β = cos(u, û), γ = |η̂|/|η|; the hypothesis is min(α, β) > "
      "γ with all three in [0, 1]. \"Sub-layer\": u is what enters a layer for the clean input, η what noise at the "
      "input has made of it there, û and η̂ the same after norm, attention and projection, before the residual. "
      "\"Weights\": the values V of the layer in place of tokens, smoothed by the noisy input's attention matrices."
      "\n\n" +
      (findings.empty() ? std::string("Noise changed no example.") : findings.substr(1));
  if (!table.rows.empty()) result.tables.push_back(std::move(table));
  if (!figure.series.empty()) result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace attest::measure
