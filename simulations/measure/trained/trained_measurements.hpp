// What the theorems assume and conclude, measured on a trained model.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulations/checkpoints/trained_model.hpp"
#include "simulations/measure/measurement.hpp"
#include "simulations/tasks/examples.hpp"

namespace attest::measure {

using attention::Index;
using checkpoints::LoadedModel;
using checkpoints::TrainedModel;
using tasks::Part;
using tasks::Task;

/// A trained model, what it was trained on, and how many examples are looked at.
struct TrainedSample {
  const LoadedModel& loaded;
  const Task& task;
  Index examples = 32;
  std::uint64_t seed = 1;
  unsigned threads = 0;

  const TrainedModel& model() const { return loaded.model; }
  std::size_t layers() const { return loaded.model.spec().layers.size(); }
  /// "twicing, seed 1".
  std::string name() const;
  /// A file stem of letters, digits, '_' and '-', with `what` in front.
  std::string stem(const std::string& what) const;
};

/// Alpha, beta and gamma of every layer ("Revisiting Transformers with Insights from Image Filtering and Boosting",
/// Prop 3.1) and whether the signal-to-noise ratio rises. Noise: of deviation 1/2 on standardised pixels or steps, or
/// one token in ten replaced by a random one. Two readings: the whole sub-layer, u = Y_l, u^ = f(Y_l), eta^ = f(Y_l +
/// eta) - f(Y_l); and the trained weights on the trained values, A(y) V u and A(y) V eta.
Measurement measure_trained_noise(const TrainedSample& sample);

/// Eigenvalues of every layer's attention matrices ("Transformer Meets Twicing", Section 3): shares that are negative
/// and complex, the largest |2 lambda - lambda^2|, and what n steps leave.
Measurement measure_trained_spectra(const TrainedSample& sample);

/// How alike tokens become over the layers, and what is left of their differences.
Measurement measure_trained_depth(const TrainedSample& sample);

/// |dY_l / dY_0|, the operator norm, as trained and with the same weights under the standard residual and under
/// boosting (t = 1/2): lower bounds by power iteration, |J^T w| for a unit w, which is exact for the w it found.
Measurement measure_trained_jacobian(const TrainedSample& sample);

/// Token-position cross terms of the first layer's trained logits as noise (boosting paper, Section 3.3). Without rows
/// when positions are not learned and added.
Measurement measure_trained_cross_terms(const TrainedSample& sample);

/// All of them: {checkpoint, experiment, variant, run_seed, seed, examples, measurements: [...]}. `finished` is called
/// after each of them with what is there by then, and with their number. Errors: std::invalid_argument for fewer than
/// two examples.
nlohmann::json measure_trained(const TrainedSample& sample, const std::string& checkpoint,
                               const std::function<void(const nlohmann::json&, std::size_t)>& finished = {});

/// For every example of the sample in blocks: function(batch, first) gives one result per example.
template <typename Function>
auto for_each_trained_example(const TrainedSample& sample, Function function) {
  const Part& part = evaluated_part(sample.task);
  const auto blocks = for_each_example_block(sample.task, part, evaluated_examples(sample.task, sample.examples),
                                             sample.threads, function);
  std::decay_t<decltype(blocks.front())> all;
  for (const auto& block : blocks) all.insert(all.end(), block.begin(), block.end());
  return all;
}

}  // namespace attest::measure
