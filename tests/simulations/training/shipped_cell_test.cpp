// One cell of the table that ships, trained again.
#include <atomic>

#include <gtest/gtest.h>

#include "simulations/experiment/read_experiment.hpp"
#include "simulations/outcomes/shipped_result.hpp"
#include "simulations/tasks/data_digest.hpp"
#include "simulations/training/skill_cell.hpp"

namespace attest::training {

using experiment::ExperimentSet;
using experiment::read_experiment_set;
using outcomes::read_shipped_folder;
using outcomes::ShippedResult;
using tasks::load_task;
namespace {

TEST(ShippedSkills, a_cell_that_is_trained_again_meets_its_interval) {
  const std::filesystem::path experiments = ATTEST_EXPERIMENTS;
  const ExperimentSet set = read_experiment_set(experiments / "skills.toml", {});
  const auto all = read_shipped_folder(experiments.parent_path() / "results");
  const auto table =
      std::find_if(all.begin(), all.end(), [](const ShippedResult& one) { return one.name == "skills"; });
  ASSERT_NE(table, all.end());
  const auto& skill = table->summary["skills"][0];
  const Experiment& experiment = set.experiments.front();
  ASSERT_EQ(skill["name"], experiment.name);
  const Task task = load_task(experiment.data, experiment.variants.front().model.kind, 0, {});
  const std::atomic<bool> stop = false;
  for (const auto& shipped : skill["variants"]) {
    if (shipped["name"].get<std::string>() != "nystromformer") continue;  // neither guessing nor solving: it varies
    const auto name = shipped["name"].get<std::string>();
    const auto variant = std::find_if(experiment.variants.begin(), experiment.variants.end(),
                                      [&](const VariantSpec& one) { return one.name == name; });
    ASSERT_NE(variant, experiment.variants.end());
    const auto results = train_cell(experiment, task, *variant, experiment.seed, stop);
    const double value = results->at("test_accuracy"), stored = shipped["values"][0].get<double>();
    // Another processor, BLAS or version rounds otherwise, and trained weights move with it: the value is one of a
    // seed, so it is held to the spread of the seeds, three times the half width of the mean's interval.
    const double lower = shipped["interval"][0].get<double>(), upper = shipped["interval"][1].get<double>();
    EXPECT_NEAR(value, stored, 1.5 * (upper - lower));
    EXPECT_EQ(results->at("parameters"), shipped["parameters"].get<double>());
    return;
  }
  FAIL() << "the table has no such variant";
}

}  // namespace
}  // namespace attest::training
