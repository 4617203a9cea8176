#include "simulations/measure/trained/trained_measurements.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/simulations/evaluation/small_models.hpp"
#include "tests/support/rounding.hpp"

namespace attest::measure {

using checkpoints::parameters_of;
using checkpoints::Values;
using experiment::Experiment;
using models::ParameterSpec;
namespace {

namespace small = evaluation::small;

using testing::HasSubstr;

struct Small {
  Task task;
  LoadedModel loaded;

  Small(Task of, Experiment experiment, std::size_t variant)
      : task(std::move(of)),
        loaded{experiment, experiment.variants[variant].name, 5, small::model(experiment, variant, task)} {}
  TrainedSample sample() const { return {loaded, task, 12, 3, 1}; }
};

const Small& pictures() {
  static const Small model(small::pictures(), small::pictures_experiment(), 1);
  return model;
}

const Small& words() {
  static const Small model(small::words(), small::words_experiment(), 0);
  return model;
}

double quantity(const Measurement& measurement, const std::string& name, const std::string& where) {
  for (const auto& one : measurement.quantities)
    if (one.name == name && one.where == where) return one.estimate.value;
  ADD_FAILURE() << "no " << name << " at " << where;
  return 0;
}

/// Eq 3.4 is an inequality of Cauchy and Schwarz: it holds for whatever parts are measured.
TEST(TrainedNoise, gives_terms_of_every_layer_in_both_readings) {
  const Measurement found = measure_trained_noise(pictures().sample());
  for (const char* reading : {"sub-layer", "weights"})
    for (const char* layer : {"0", "1"}) {
      const std::string where = std::string(reading) + ", " + layer;
      const double alpha = quantity(found, "α", where), beta = quantity(found, "β", where);
      EXPECT_GT(alpha, 0);
      EXPECT_LE(std::abs(beta), 1);
      EXPECT_GT(quantity(found, "SNR ratio", where), 0);
    }
}

/// A causal attention matrix is triangular: its eigenvalues are its diagonal, real and positive.
TEST(TrainedSpectra, of_causal_attention_are_real_and_positive) {
  const Measurement found = measure_trained_spectra(words().sample());
  EXPECT_EQ(quantity(found, "complex", "1"), 0);
  EXPECT_EQ(quantity(found, "negative", "1"), 0);
  EXPECT_EQ(quantity(found, "(2A − A²)ⁿ grows, examples", "1"), 0);
}

TEST(TrainedSpectra, are_those_of_the_softmax_matrix_also_under_twicing) {
  const Measurement found = measure_trained_spectra(pictures().sample());
  EXPECT_LE(quantity(found, "second modulus", "0"), 1);
  // The eigenvalue 1 gives 1, as nearly as rows of five weights in single precision add up to it: six roundings.
  constexpr double rounding = 6 * tests::single_roundoff;
  EXPECT_GE(quantity(found, "largest |2λ − λ²|", "0"), 1 - rounding);
}

TEST(TrainedDepth, begins_before_the_first_layer) {
  const Measurement found = measure_trained_depth(pictures().sample());
  for (const char* passed : {"0", "1", "2"}) EXPECT_LE(std::abs(quantity(found, "cosine", passed)), 1);
}

/// Doubling a vector: with all sub-layers silent the standard network is the identity, and so is boosting.
TEST(TrainedJacobian, of_silent_layers_is_the_identitys) {
  Experiment e = small::pictures_experiment();
  Task task = small::pictures();
  Values weights;
  for (const ParameterSpec& parameter : parameters_of(e.variants[0].model, task.shape)) {
    weights.push_back(initial_values(parameter, 1));
    const bool joins = parameter.name.ends_with(".out.weight") || parameter.name.ends_with(".out.bias");
    if (joins) std::fill(weights.back().begin(), weights.back().end(), 0.0F);
  }
  const LoadedModel silent{e, "softmax", 1, {e.variants[0].model, task.shape, weights}};
  const Measurement found = measure_trained_jacobian({silent, task, 4, 1, 1});
  constexpr double rounding = 2 * tests::single_roundoff;  // of the entries of a unit vector, before and behind
  for (const char* rule : {"as trained", "standard", "boosting, t = 0.5"})
    EXPECT_NEAR(quantity(found, "norm", std::string(rule) + ", 2"), 1, rounding) << rule;
}

TEST(TrainedCrossTerms, stay_below_the_bound_of_a_half_lipschitz_softmax) {
  for (const Small* model : {&pictures(), &words()}) {
    const Measurement found = measure_trained_cross_terms(model->sample());
    if (found.tables.empty()) {
      EXPECT_THAT(found.text, HasSubstr("fewer than eight tokens"));  // four patches and a class token
      continue;
    }
    EXPECT_LE(quantity(found, "perturbation / bound", "0"), 1);
  }
  EXPECT_FALSE(measure_trained_cross_terms(words().sample()).tables.empty());
}

TEST(MeasureTrained, names_every_figure_once_and_gives_the_same_bits_on_any_threads) {
  TrainedSample one = pictures().sample(), three = one;
  three.threads = 3;
  const nlohmann::json all = measure_trained(one, "model.safetensors");
  EXPECT_EQ(all, measure_trained(three, "model.safetensors"));
  std::set<std::string> names;
  for (const auto& measurement : all.at("measurements"))
    for (const auto& figure : measurement.at("figures"))
      EXPECT_TRUE(names.insert(figure.at("name")).second) << figure.at("name");
  EXPECT_EQ(all.at("measurements").size(), 5U);
}

TEST(MeasureTrained, tells_after_each_measurement_what_is_there_by_then) {
  std::vector<nlohmann::json> told;
  const nlohmann::json all =
      measure_trained(pictures().sample(), "model.safetensors", [&](const nlohmann::json& measured, std::size_t total) {
        EXPECT_EQ(total, 5U);
        told.push_back(measured);
      });
  ASSERT_EQ(told.size(), 5U);
  EXPECT_EQ(told.back(), all);
  for (std::size_t i = 0; i < told.size(); ++i) EXPECT_EQ(told[i].at("measurements").size(), i + 1);
}

TEST(MeasureTrained, wants_two_examples) {
  TrainedSample sample = pictures().sample();
  sample.examples = 1;
  EXPECT_THROW(measure_trained(sample, ""), std::invalid_argument);
}

}  // namespace
}  // namespace attest::measure
