// Every experiment that comes with the suite can be read, and each of its models can be built for data of its kind.
#include <algorithm>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "simulations/checkpoints/trained_model.hpp"
#include "simulations/experiment/read_experiment.hpp"
#include "simulations/outcomes/comparison.hpp"
#include "simulations/outcomes/summary.hpp"
#include "simulations/skills/skill.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::experiment {

using checkpoints::parameters_of;
using models::ModelShape;
using outcomes::least_seeds;
using outcomes::power_sentence;
using skills::skill_of_data;
using skills::skills;
namespace {

std::vector<std::filesystem::path> ready_made() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ATTEST_EXPERIMENTS))
    if (entry.path().extension() == ".toml" && entry.path().parent_path() != ATTEST_EXPERIMENTS)
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Data as the experiment's kind of model reads them; extents where they need not be the real ones.
ModelShape shape_for(const Experiment& e) {
  const ModelSpec& model = e.variants.front().model;
  switch (model.kind) {
    case ModelSpec::Kind::language:
      return {.classes = 65};
    case ModelSpec::Kind::vision:
    case ModelSpec::Kind::segmentation:
      return {.classes = 10, .rows = 8 * model.patch, .columns = 8 * model.patch, .channels = 3};
    case ModelSpec::Kind::sequence:
    case ModelSpec::Kind::pairs:
      return {
          .classes = 10, .vocabulary = 256, .tokens = 256, .unequal = e.data.name.find("listops") != std::string::npos};
    case ModelSpec::Kind::series:
      return {.classes = 9, .tokens = 29, .dimensions = 12, .unequal = true};
  }
  return {};
}

class ReadyMadeExperiment : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(ReadyMadeExperiment, is_read_and_its_models_can_be_built) {
  const Experiment e = read_experiment(GetParam(), {});
  EXPECT_EQ(e.size, GetParam().parent_path().filename().string());
  for (const VariantSpec& variant : e.variants)
    EXPECT_FALSE(parameters_of(variant.model, shape_for(e)).empty()) << variant.name;
  if (e.size != "quick" && e.variants.size() > 1) {
    EXPECT_GE(e.seeds, 5);
    EXPECT_NE(power_sentence(e).find("standard deviations between seeds"), std::string::npos);
  }
}

TEST(ReadyMadeSkills, have_every_skill_and_enough_mechanisms_and_seeds) {
  const ExperimentSet set = read_experiment_set(std::filesystem::path(ATTEST_EXPERIMENTS) / "skills.toml", {});
  EXPECT_EQ(set.experiments.size(), skills().size());
  EXPECT_EQ(set.canonical.find("seeds"), std::string::npos) << "more seeds may be added";
  for (const Experiment& e : set.experiments) {
    EXPECT_NE(skill_of_data(e.data.name), nullptr) << e.data.name;
    EXPECT_EQ(e.variants.front().model.kind, skill_of_data(e.data.name)->kind) << e.name;
    EXPECT_GE(e.seeds, static_cast<Index>(least_seeds(e.variants.size() - 1, e.comparison.level)));
    std::set<std::string> mechanisms;
    for (const VariantSpec& variant : e.variants) mechanisms.insert(variant.model.layers.front().attention.mechanism);
    EXPECT_GE(mechanisms.size(), 25U);
  }
}

TEST(ReadyMadeSkills, refuse_what_they_cannot_mean) {
  const std::string file = "[data]\ntrain = 32\n[model]\nkind = \"sequence\"\n[[variant]]\nname = \"softmax\"\n";
  const auto refused = [&](const std::string& more) {
    return test_support::message_of<std::invalid_argument>([&] { parse_experiment_set(file + more, "s.toml", {}); });
  };
  EXPECT_NE(refused("").find("skill"), std::string::npos);
  EXPECT_NE(refused("[[skill]]\nname = \"a\"\n[[skill]]\nname = \"a\"\n").find("two skills are called a"),
            std::string::npos);
  EXPECT_NE(refused("[[skill]]\nname = \"a\"\ntraning = {steps = 3}\n").find("training"), std::string::npos);
  EXPECT_EQ(refused("[[skill]]\nname = \"a\"\ntraining = {steps = 0}\n").find("s.toml, skill a: "), 0U);
}

INSTANTIATE_TEST_SUITE_P(Experiments, ReadyMadeExperiment, testing::ValuesIn(ready_made()), [](const auto& instance) {
  std::string name = instance.param.parent_path().filename().string() + "_" + instance.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace attest::experiment
