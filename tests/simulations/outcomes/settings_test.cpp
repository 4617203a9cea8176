#include "simulations/outcomes/settings.hpp"

#include <cmath>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "kernels/random/stream.hpp"
#include "simulations/outcomes/comparison.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::outcomes {

using attention::Index;
namespace {

using test_support::message_of;
using testing::HasSubstr;

constexpr const char* axis = "learning_rate";

Experiment experiment(std::vector<double> rates, Index seeds) {
  Experiment e;
  e.seeds = seeds;
  e.variants = {{"softmax", {}, 0}, {"twicing", {}, 0}};
  e.comparison.baseline = "softmax";
  e.axes = {{axis, rates}};
  for (const double rate : rates) e.settings.push_back({rate < 0.05 ? "low" : "high", {rate}, {}});
  return e;
}

/// Softmax learns best at the low rate with seed 1 and at the high one with seed 2; twicing diverges at the high one.
AllResults results() {
  AllResults all;
  all[{"softmax@low", 1}] = {{"validation_loss", 1.0}, {"test_loss", 1.5}};
  all[{"softmax@high", 1}] = {{"validation_loss", 2.0}, {"test_loss", 0.5}};
  all[{"softmax@low", 2}] = {{"validation_loss", 1.2}, {"test_loss", 1.4}};
  all[{"softmax@high", 2}] = {{"validation_loss", 0.9}, {"test_loss", 1.6}};
  for (const std::uint64_t seed : {1U, 2U}) {
    all[{"twicing@low", seed}] = {{"validation_loss", 1.1}, {"test_loss", 1.3}};
    all[{"twicing@high", seed}] = {{"diverged", 7}};
  }
  return all;
}

TEST(AtTheirBest, chooses_by_the_validation_loss_of_the_seed_alone) {
  const AllResults best = at_their_best(experiment({0.01, 0.1}, 2), results());
  ASSERT_EQ(best.size(), 4U);
  EXPECT_EQ(best.at({"softmax", 1}).at("test_loss"), 1.5) << "the better test loss must not choose";
  EXPECT_EQ(best.at({"softmax", 1}).at("chosen_learning_rate"), 0.01);
  EXPECT_EQ(best.at({"softmax", 2}).at("chosen_learning_rate"), 0.1);
  EXPECT_EQ(best.at({"twicing", 2}).at("test_loss"), 1.3);
}

TEST(AtTheirBest, is_what_was_measured_where_there_are_no_settings) {
  Experiment e = experiment({}, 1);
  e.axes.clear();
  const AllResults plain = {{{"softmax", 1}, {{"test_loss", 1}}}, {{"twicing", 1}, {{"test_loss", 2}}}};
  EXPECT_EQ(at_their_best(e, plain), plain);
  EXPECT_EQ(run_names(e), (std::vector<std::string>{"softmax", "twicing"}));
}

TEST(AtTheirBest, says_which_variant_diverged_everywhere) {
  AllResults all = results();
  all[{"twicing@low", 2}] = {{"diverged", 3}};
  EXPECT_THAT(message_of<std::runtime_error>([&] {
                at_their_best(experiment({0.01, 0.1}, 2), all);
              }),
              HasSubstr("twicing, seed 2: training diverged under all 2 settings"));
}

TEST(CurvesOfBest, are_those_of_the_chosen_runs_under_the_variants_names) {
  const std::vector<journal::RunMeasurement> curves = {{"softmax@high", 1, {10, "training_loss", 4}},
                                                       {"softmax@low", 1, {10, "training_loss", 3}},
                                                       {"softmax@high", 2, {10, "training_loss", 2}}};
  const auto kept = curves_of_best(experiment({0.01, 0.1}, 2), results(), curves);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].variant, "softmax");
  EXPECT_EQ(kept[0].measurement.value, 3);
  EXPECT_EQ(kept[1].seed, 2U);
}

TEST(SettingsSummary, counts_who_was_chosen_and_who_diverged) {
  const auto summary = settings_summary(experiment({0.01, 0.1}, 2), results());
  ASSERT_EQ(summary.size(), 4U);
  EXPECT_EQ(summary[0]["chosen"], 1);
  EXPECT_DOUBLE_EQ(summary[0]["validation_loss"].get<double>(), 1.1);
  EXPECT_EQ(summary[3]["diverged"], 2);
  EXPECT_TRUE(summary[3]["validation_loss"].is_null());
  const auto table = settings_table(summary);
  for (const auto& row : table["rows"]) EXPECT_EQ(row.size(), table["columns"].size());
}

TEST(AxesTooShort, names_the_end_that_most_seeds_choose) {
  const Experiment e = experiment({0.01, 0.1}, 2);
  const auto sentences = axes_too_short(e, at_their_best(e, results()));
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_EQ(sentences[0].find("twicing is best at the end of its axis, learning_rate = 0.01, with 2 of 2 seeds"), 0U)
      << sentences[0];
}

/// Two equal variants, each with the better of three settings by a validation loss that tells something of the test
/// loss: as skewed a choice as there is.
TEST(AtTheirBest, leaves_the_level_of_the_verdicts_as_it_is) {
  constexpr int comparisons = 300;
  constexpr Index seeds = 10;
  constexpr double level = 0.1;
  Experiment e = experiment({0.01, 0.02, 0.03}, seeds);
  for (Setting& setting : e.settings) setting.name = std::to_string(setting.values[0]);
  int called = 0;
  for (std::uint64_t c = 0; c < comparisons; ++c) {
    random::Stream stream(1, random::stream_key("settings"), c);
    AllResults all;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
      for (const std::string& run : run_names(e)) {
        const double common = stream.normal();
        all[{run, seed}] = {{"validation_loss", common + stream.normal()}, {"test_loss", std::exp(common)}};
      }
    const AllResults best = at_their_best(e, all);
    std::vector<double> a, b;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      a.push_back(best.at({"softmax", seed}).at("test_loss"));
      b.push_back(best.at({"twicing", seed}).at("test_loss"));
    }
    called += compare(a, b, {.level = level}).verdict != "undecided" ? 1 : 0;
  }
  // Three standard deviations of the count above its largest admissible mean.
  EXPECT_LE(called, comparisons * level + 3 * std::sqrt(comparisons * level * (1 - level)));
}

}  // namespace
}  // namespace attest::outcomes
