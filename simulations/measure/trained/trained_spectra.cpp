// Spectra of trained attention, and tokens over trained depth.
#include <algorithm>
#include <cmath>
#include <complex>

#include <fmt/format.h>

#include "kernels/spectra/attention_matrices.hpp"
#include "kernels/spectra/dense_spectrum.hpp"
#include "simulations/measure/trained/layer_measures.hpp"
#include "simulations/measure/trained/trained_measurements.hpp"
#include "simulations/measure/untrained/depth.hpp"
#include "simulations/measure/untrained/spectrum.hpp"

namespace attest::measure {

using checkpoints::LayerTrace;
using checkpoints::Trace;
using models::AttentionSpec;
namespace {

using Eigenvalues = std::vector<std::complex<double>>;
using measure::mean_estimate;

// From here on an eigenvalue counts as negative or complex, and a power as growing: the matrices are of single
// precision, whose rounding moves eigenvalues of a near-defective matrix by its square root.
constexpr double visible = 1e-3;
constexpr int shown_step = 16;
constexpr std::size_t drawn_examples = 2;

/// Whether the layer's own matrix is a polynomial of the softmax matrix, which then is what the theory speaks of.
bool is_softmax_at_heart(const AttentionSpec& attention) {
  const bool changed = std::any_of(attention.settings.begin(), attention.settings.end(),
                                   [](const auto& setting) { return setting.first != "causal"; });
  return !changed && attention::find_mechanism(attention.mechanism).is_softmax_polynomial;
}

/// Means over the heads of one layer of one example.
struct LayerSpectrum {
  bool known = false;
  double negative = 0, complex = 0, second = 0, twiced = 0, power = 0, twiced_power = 0;
  bool grows = false;  ///< some head's 2A - A^2 has an eigenvalue of modulus above 1
  Eigenvalues values;
};

void add_head(LayerSpectrum& to, const Eigenvalues& values, double weight) {
  const double share = weight / static_cast<double>(values.size());
  double largest = 0;
  for (const auto& value : values) {
    if (std::abs(value.imag()) > visible)
      to.complex += share;
    else if (value.real() < -visible)
      to.negative += share;
    largest = std::max(largest, std::abs(value * (2.0 - value)));
  }
  if (values.size() > 1) to.second += weight * std::abs(values[1]);
  to.twiced += weight * largest;
  to.grows = to.grows || largest > 1 + visible;
  to.power += weight * measure::mean_power(values, shown_step, false);
  to.twiced_power += weight * measure::mean_power(values, shown_step, true);
  to.values.insert(to.values.end(), values.begin(), values.end());
}

LayerSpectrum spectrum_of(const LayerTrace& layer, const AttentionSpec& attention, bool causal, Index example,
                          Index rows) {
  LayerSpectrum result;
  const bool at_heart = is_softmax_at_heart(attention);
  if (!at_heart && layer.matrix.empty()) return result;
  const Index heads = layer.queries.extent(1);
  for (Index h = 0; h < heads; ++h) {
    Eigen::MatrixXd a;
    if (at_heart) {
      const Eigen::MatrixXd q = head_of(layer.queries, example, h, rows);
      a = spectra::softmax_attention(q, head_of(layer.keys, example, h, rows), std::sqrt(static_cast<double>(q.cols())),
                                     causal);
    } else {
      a = head_of(layer.matrix, example, h, rows).leftCols(rows);
    }
    add_head(result, spectra::eigenvalues(a), 1 / static_cast<double>(heads));
  }
  result.known = true;
  return result;
}

std::vector<std::vector<LayerSpectrum>> look_at_block(const TrainedSample& sample, const Batch& batch) {
  const ModelSpec& spec = sample.model().spec();
  const Trace trace = sample.model().trace(batch, true);
  std::vector<std::vector<LayerSpectrum>> all;
  for (Index b = 0; b < batch.count; ++b) {
    const Index rows = present_tokens(spec, batch, b, trace.layers[0].input.extent(1));
    all.emplace_back();
    for (std::size_t l = 0; l < trace.layers.size(); ++l)
      all.back().push_back(
          spectrum_of(trace.layers[l], spec.layers[l].attention, traits_of(spec.kind).causal(), b, rows));
  }
  return all;
}

/// As many examples as were asked for, but of long sequences fewer: eigenvalues take about 25 N^3 operations.
Index affordable_examples(const TrainedSample& sample) {
  constexpr double most_operations = 1e12;  // minutes on a core
  const Index tokens = sample.model().embedded(sample.task.batch(evaluated_part(sample.task), 0, 1)).extent(1);
  const double matrices = static_cast<double>(sample.model().spec().heads) * static_cast<double>(sample.layers());
  const double one = 25 * std::pow(static_cast<double>(tokens), 3) * matrices;
  return std::clamp<Index>(static_cast<Index>(most_operations / one), 2, std::max<Index>(2, sample.examples));
}

struct DepthTrace {
  std::vector<double> cosine, spread;
};

std::vector<DepthTrace> depths_of_block(const TrainedSample& sample, const Batch& batch) {
  const Trace trace = sample.model().trace(batch, false);
  std::vector<DepthTrace> all;
  for (Index b = 0; b < batch.count; ++b) {
    const Index rows = present_tokens(sample.model().spec(), batch, b, trace.layers[0].input.extent(1));
    DepthTrace depth;
    for (std::size_t l = 0; l <= trace.layers.size(); ++l) {
      const Eigen::MatrixXd y =
          tokens_of(l < trace.layers.size() ? trace.layers[l].input : trace.layers[l - 1].output, b, rows);
      depth.cosine.push_back(measure::mean_pairwise_cosine(y));
      depth.spread.push_back((y.rowwise() - y.colwise().mean()).norm() / y.norm());
    }
    all.push_back(std::move(depth));
  }
  return all;
}

}  // namespace

Measurement measure_trained_spectra(const TrainedSample& sample) {
  TrainedSample fewer = sample;
  fewer.examples = affordable_examples(sample);
  const auto examples =
      for_each_trained_example(fewer, [&](const Batch& batch, Index) { return look_at_block(sample, batch); });
  const auto count = static_cast<std::int64_t>(examples.size());
  Measurement result;
  result.id = "trained-spectrum/" + sample.stem("");
  result.title = fmt::format("Eigenvalues of trained attention ({})", sample.name());
  Table table{.columns = {"layer"}};
  Figure plane{.name = sample.stem("trained-eigenvalues"),
               .title = "Eigenvalues of A in the complex plane",
               .x_label = "real part",
               .y_label = "imaginary part"};
  std::string findings;
  for (std::size_t l = 0; l < sample.layers(); ++l) {
    if (!examples.front()[l].known) continue;
    const auto values = [&](double LayerSpectrum::*member) {
      std::vector<double> all;
      for (const auto& example : examples) all.push_back(example[l].*member);
      return all;
    };
    const auto mean = [&](double LayerSpectrum::*member) { return mean_estimate(values(member)); };
    // Where powers grow, a few examples are enormous.
    const auto median = [&](double LayerSpectrum::*member) { return measure::median_estimate(values(member)); };
    const auto growing = measure::share_estimate(
        std::count_if(examples.begin(), examples.end(), [&](const auto& e) { return e[l].grows; }), count);
    const auto negative = mean(&LayerSpectrum::negative), complex = mean(&LayerSpectrum::complex);
    add_row(result, table, {std::to_string(l)},
            {{"negative", negative},
             {"complex", complex},
             {"second modulus", mean(&LayerSpectrum::second)},
             {"largest |2λ − λ²|", mean(&LayerSpectrum::twiced)},
             {"(2A − A²)ⁿ grows, examples", growing},
             {"mean |λ|¹⁶, median", median(&LayerSpectrum::power)},
             {"mean |2λ − λ²|¹⁶, median", median(&LayerSpectrum::twiced_power)}});
    findings +=
        fmt::format(" Layer {}: {:.1f} % of the eigenvalues are negative, {:.1f} % complex; 2A − A² grows on {}.", l,
                    100 * negative.value, 100 * complex.value, measure::to_percent(growing));
    Series points{fmt::format("layer {}", l), "points"};
    for (std::size_t e = 0; e < std::min(drawn_examples, examples.size()); ++e)
      for (const auto& value : examples[e][l].values) {
        points.x.push_back(value.real());
        points.y.push_back(value.imag());
      }
    plane.series.push_back(std::move(points));
  }
  plane.caption = fmt::format("All heads of the first {} examples.", std::min(drawn_examples, examples.size()));
  table.caption = fmt::format(
      "Means over {} examples (all heads together) with {:.0f} % asymptotic Student intervals, growth as a share with "
      "Clopper and "
      "Pearson's. Eigenvalues count as negative or complex beyond {}.",
      count, 100 * measure::confidence_level, visible);
  result.text = fmt::format(
      "Twicing, Section 3: the paper takes the eigenvalues of A from (0, 1], where 2A − A² is stable and keeps more "
      "than A. A is the softmax matrix of every head; for mechanisms that are not a polynomial of one, their own "
      "matrix. "
      "If eigenvalues lay evenly over [0, 1], the mean of |λ|¹⁶ would be {:.3f}, that of |2λ − λ²|¹⁶ {:.3f}.\n\n{}",
      measure::eigencapacity(shown_step, false), measure::eigencapacity(shown_step, true),
      findings.empty() ? "No layer's mechanism is a matrix on its values." : findings.substr(1));
  if (table.rows.empty()) return result;
  result.tables.push_back(std::move(table));
  result.figures.push_back(std::move(plane));
  return result;
}

Measurement measure_trained_depth(const TrainedSample& sample) {
  const auto examples =
      for_each_trained_example(sample, [&](const Batch& batch, Index) { return depths_of_block(sample, batch); });
  Measurement result;
  result.id = "trained-depth/" + sample.stem("");
  result.title = fmt::format("How alike tokens become over trained depth ({})", sample.name());
  Table table{.columns = {"layers passed"}};
  Figure figure{.name = sample.stem("trained-depth"),
                .title = "Mean cosine between tokens",
                .x_label = "layers passed",
                .y_label = "mean cosine"};
  Series cosines{"cosine", "linespoints"}, spreads{"spread", "linespoints"};
  for (std::size_t l = 0; l <= sample.layers(); ++l) {
    const auto cosine = mean_estimate(measure::column(examples, [&](const DepthTrace& d) { return d.cosine[l]; }));
    const auto spread = mean_estimate(measure::column(examples, [&](const DepthTrace& d) { return d.spread[l]; }));
    add_row(result, table, {std::to_string(l)}, {{"cosine", cosine}, {"spread", spread}});
    cosines.add(static_cast<double>(l), cosine);
    spreads.add(static_cast<double>(l), spread);
  }
  figure.series = {std::move(cosines), std::move(spreads)};
  figure.caption = "Means over the examples with Student's asymptotic intervals. Spread: |Y - mean token|/|Y|.";
  table.caption =
      fmt::format("Means over {} examples with {:.0f} % asymptotic Student intervals. Spread: |Y - mean token|/|Y|.",
                  examples.size(), 100 * measure::confidence_level);
  result.text = fmt::format(
      "Boosting, Prop 4.1 and Fig 6; Twicing, Section 1. The mean cosine between tokens is {} before the first layer "
      "and {} after the last.",
      table.rows.front()[1], table.rows.back()[1]);
  result.tables.push_back(std::move(table));
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace attest::measure
