#include "simulations/experiment/read_experiment.hpp"

#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"

namespace attest::experiment {

using models::AttentionSpec;
using models::ExpertSpec;
using models::LayerSpec;
using models::ResidualSpec;
namespace {

using test_support::message_of;

const std::string good = R"(seeds = 3
[data]
name = "fashion-mnist"
[model]
kind = "vision"
layers = 3
width = 64
heads = 4
[training]
steps = 100
learning_rate = 1e-3
[[variant]]
name = "softmax"
[[variant]]
name = "last"
attention = "bilateral"
attention_layers = [2]
options = { h_p2 = 5 }
learned = ["h_y2"]
residual = "boosting"
t = "learned"
)";

std::string complaint(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return message_of<std::invalid_argument>([&] { parse_experiment(text, "spec.toml", overrides); });
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = good;
  return text.replace(text.find(from), from.size(), to);
}

TEST(ReadExperiment, takes_variants_as_changes_of_the_model_layer_by_layer) {
  const Experiment e = parse_experiment(good, "spec.toml", {});
  ASSERT_EQ(e.variants.size(), 2U);
  const auto& layers = e.variants[1].model.layers;
  EXPECT_EQ(layers[0].attention, AttentionSpec());
  EXPECT_EQ(layers[2].attention, (AttentionSpec{"bilateral", {{"h_p2", "5"}}, {"h_y2"}, {}}));
  EXPECT_EQ(layers[0].residual, (ResidualSpec{ResidualSpec::Kind::boosting, 0, true, 0}));
  EXPECT_EQ(e.variants[0].model.layers[2], LayerSpec());
  EXPECT_EQ(e.comparison.baseline, "softmax");
  EXPECT_EQ(e.training.steps, 100);
  EXPECT_EQ(e.data_place, "spec.toml, line 2");
  EXPECT_EQ(e.model_place, "spec.toml, line 4");
}

TEST(ReadExperiment, lets_the_command_line_change_the_file) {
  const Experiment e = parse_experiment(good, "spec.toml", {"training.steps=7", "data.name=mnist", "seeds=1"});
  EXPECT_EQ(e.training.steps, 7);
  EXPECT_EQ(e.data.name, "mnist");
  EXPECT_EQ(e.seeds, 1);
  EXPECT_NE(e.canonical, parse_experiment(good, "spec.toml", {}).canonical);
}

TEST(ReadExperiment, belongs_to_the_same_directory_with_more_seeds) {
  EXPECT_EQ(parse_experiment(good, "spec.toml", {"seeds=9"}).canonical,
            parse_experiment(good, "spec.toml", {}).canonical);
}

TEST(ReadExperiment, makes_a_setting_of_every_combination_of_axes) {
  const Experiment e = parse_experiment(
      good + "[axes]\ntraining.learning_rate = [1e-3, 1e-2]\ntraining.warmup = [0, 20, 40]\n", "spec.toml", {});
  ASSERT_EQ(e.settings.size(), 6U);
  EXPECT_EQ(e.settings[0].name, "learning_rate=0.001,warmup=0");
  EXPECT_EQ(e.settings[5].values, (std::vector<double>{0.01, 40}));
  EXPECT_EQ(e.settings[5].training.learning_rate, 0.01);
  EXPECT_EQ(e.settings[5].training.warmup, 40);
  EXPECT_EQ(e.settings[5].training.steps, 100) << "what no axis names stays";
  EXPECT_TRUE(parse_experiment(good, "spec.toml", {}).settings.empty());
  EXPECT_EQ(parse_experiment(good, "spec.toml", {"axes.training.clip=[1, 2]"}).settings.size(), 2U);
}

TEST(ReadExperiment, refuses_axes_that_would_unpair_runs_or_judge_by_what_chose) {
  const auto axes = [](const std::string& list) { return good + "[axes]\n" + list + "\n"; };
  EXPECT_NE(complaint(axes("training.batch = [8, 16]")).find("spec.toml, line 23: training.batch is not an axis"),
            std::string::npos)
      << complaint(axes("training.batch = [8, 16]"));
  EXPECT_NE(complaint(axes("training.clip = [1]")).find("has one value"), std::string::npos);
  EXPECT_NE(complaint(axes("training.clip = [1, 1]")).find("holds 1 twice"), std::string::npos);
  EXPECT_NE(complaint(axes("training.clip = [1, \"two\"]")).find("holds a word"), std::string::npos);
  EXPECT_NE(complaint(axes("training.clip = [1, -1]")).find("with clip=-1: clip is -1"), std::string::npos);
  EXPECT_NE(complaint(axes("model.width = [8, 16]")).find("has no key model"), std::string::npos);
  EXPECT_NE(complaint(good + "[axes]\n").find("[axes] holds no list"), std::string::npos);
  EXPECT_NE(complaint(axes("training.clip = [1, 2]"), {"comparison.metric=validation_loss"})
                .find("cannot judge too: compare test_loss"),
            std::string::npos);
}

TEST(ReadExperiment, takes_backbones_norms_experts_and_a_start) {
  const Experiment e =
      parse_experiment(good, "spec.toml",
                       {"model.backbone=cvt", "model.normalisation=batch", "model.experts=4", "model.expert_layers=[1]",
                        "model.capacity=1.5", "training.start=old.safetensors"});
  for (const VariantSpec& variant : e.variants) {
    EXPECT_TRUE(variant.model.convolved);
    EXPECT_FALSE(variant.model.channel_attention);
    EXPECT_EQ(variant.model.norm, ModelSpec::Norm::batch);
    EXPECT_EQ(variant.model.layers[0].experts.count, 0);
    EXPECT_EQ(variant.model.layers[1].experts, (ExpertSpec{.count = 4, .capacity = 1.5}));
  }
  EXPECT_EQ(e.training.start, "old.safetensors");
  EXPECT_TRUE(parse_experiment(good, "spec.toml", {"model.backbone=fan"}).variants[0].model.channel_attention);
}

TEST(ReadExperiment, refuses_experts_that_are_nowhere) {
  EXPECT_NE(complaint(good, {"model.capacity=2"}).find("capacity is of experts: give experts = 4 too"),
            std::string::npos);
  EXPECT_NE(complaint(good, {"model.experts=1"}).find("experts"), std::string::npos);
  EXPECT_NE(
      complaint(with("heads = 4", "heads = 4\nexperts = 2\nexpert_layers = [3]")).find("layer 3 is none of 0 .. 2"),
      std::string::npos);
}

TEST(ReadExperiment, names_line_and_fix_of_a_mistake) {
  EXPECT_EQ(complaint(with("steps = 100", "stepz = 100")).substr(0, 40), "spec.toml, line 10: [training] has no ke");
  EXPECT_NE(complaint(with("steps = 100", "stepz = 100")).find("steps"), std::string::npos);
  EXPECT_NE(complaint(with("\"bilateral\"", "\"bilatral\"")).find("line 16: no attention mechanism is called bilatral"),
            std::string::npos);
  EXPECT_NE(complaint(with("heads = 4", "heads = 5")).find("line 8"), std::string::npos);
  EXPECT_NE(complaint(with("[2]", "[3]")).find("layer 3"), std::string::npos);
  EXPECT_NE(complaint(with("\"learned\"\n", "\"learnt\"\n")).find("learned"), std::string::npos);
  EXPECT_NE(complaint(with("name = \"last\"", "name = \"softmax\"")).find("two variants"), std::string::npos);
  EXPECT_NE(complaint(with("name = \"last\"", "name = \"../up\"")).find("line"), std::string::npos);
  EXPECT_NE(complaint(with("1e-3", "-1")).find("learning_rate is -1"), std::string::npos);
  EXPECT_NE(complaint("a = ").find("spec.toml, line 1: this is not valid TOML"), std::string::npos);
  EXPECT_NE(
      complaint(with("seeds = 3", "seeds = 1e9")).find("line 1: seeds of the experiment is not an integer from 1 to"),
      std::string::npos);
  EXPECT_NE(complaint(with("seeds = 3", "seeds = 60000")).find("line 1: 60000 seeds of 2 variants and settings"),
            std::string::npos);
  EXPECT_NE(complaint(with("layers = 3", "layers = 100000")).find("line 6: layers of"), std::string::npos);
  EXPECT_NE(complaint("seeds = 1").find("[data]"), std::string::npos);
}

TEST(ReadExperiment, takes_device_and_precision_and_the_attention_that_they_need) {
  const TrainingSpec usual = parse_experiment(good, "spec.toml", {}).training;
  EXPECT_EQ(usual.device, TrainingSpec::Device::cpu);
  EXPECT_EQ(usual.precision, TrainingSpec::Precision::float32);
  EXPECT_FALSE(usual.operations);
  EXPECT_TRUE(parse_experiment(good, "spec.toml", {"training.device=cuda"}).training.operations);
  EXPECT_TRUE(parse_experiment(good, "spec.toml", {"training.precision=bfloat16"}).training.operations);
  EXPECT_TRUE(parse_experiment(good, "spec.toml", {"training.implementation=operations"}).training.operations);
  EXPECT_TRUE(usual.cuda_graph);
  EXPECT_FALSE(parse_experiment(good, "spec.toml", {"training.cuda_graph=false"}).training.cuda_graph);
  EXPECT_NE(complaint(good, {"training.device=tpu"}).find("cuda"), std::string::npos);
  EXPECT_NE(complaint(with("steps = 100", "steps = 100\nprecision = \"bfloat16\"\nimplementation = \"kernels\""))
                .find("not in bfloat16"),
            std::string::npos);
}

TEST(ReadExperiment, names_the_override_that_is_at_fault) {
  EXPECT_EQ(complaint(good, {"training.stepz=1"}).substr(0, 24), "--set training.stepz=1: ");
  EXPECT_NE(complaint(good, {"training.steps=zero"}).find("--set training.steps=zero"), std::string::npos);
  EXPECT_NE(complaint(good, {"steps"}).find("key=value"), std::string::npos);
  EXPECT_NE(complaint(good, {"seeds.of=1"}).find("not a table"), std::string::npos);
}

}  // namespace
}  // namespace attest::experiment
