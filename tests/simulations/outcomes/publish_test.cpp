#include "simulations/outcomes/publish.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "simulations/evaluation/cost_columns.hpp"
#include "simulations/experiment/metric_names.hpp"
#include "simulations/experiment/read_experiment.hpp"
#include "simulations/outcomes/summary.hpp"
#include "simulations/outcomes/warnings.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::outcomes {

using evaluation::put_cost;
using experiment::attacked_metric;
using experiment::LayerMetric;
using experiment::parse_experiment;
namespace {

using nlohmann::ordered_json;
using test_support::content_of;
using test_support::ScratchFolder;
using testing::HasSubstr;
using testing::StartsWith;

/// Two variants of two layers, twelve seeds; twicing is better by 0.01, 0.02, ..., 0.12.
Experiment experiment() {
  return parse_experiment(
      "seeds = 12\n[data]\nname = \"fashion-mnist\"\n[model]\nkind = \"vision\"\nlayers = 2\n"
      "[evaluation]\nfgsm = [4]\nmeasures = [\"tokens\"]\n"
      "[paper]\nsource = \"A paper\"\n[paper.values]\nsoftmax = 72\ntwicing = 72.5\n[paper.claims]\ntwicing = \"Sec "
      "5\"\n"
      "[[variant]]\nname = \"softmax\"\n[[variant]]\nname = \"twicing\"\nattention = \"twicing\"\n"
      "attention_layers = [1]\n",
      "e.toml", {});
}

AllResults results() {
  AllResults all;
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    for (const bool twice : {false, true}) {
      journal::Results& r = all[{twice ? "twicing" : "softmax", seed}];
      r["test_loss"] = 1;
      r["test_accuracy"] = 0.8 + (twice ? 0.01 * static_cast<double>(seed) : 0);
      for (const double radius : {0.0, 4.0}) r[attacked_metric("fgsm", radius, "accuracy")] = 0.8 - 0.1 * radius;
      for (std::size_t l = 0; l <= 2; ++l) r[layer_metric(LayerMetric::token_cosine, l)] = 0.1 * static_cast<double>(l);
    }
  return all;
}

std::vector<journal::RunMeasurement> curves() {
  return {{"softmax", 1, {10, "training_loss", 2}},
          {"softmax", 2, {10, "training_loss", 4}},
          {"twicing", 1, {10, "training_loss", 1}}};
}

ordered_json document() { return illustrated(experiment(), summarise(experiment(), results(), 5), curves()); }

const ordered_json& figure_called(const ordered_json& document, const std::string& name) {
  for (const ordered_json& figure : document["figures"])
    if (figure["name"] == name) return figure;
  throw std::runtime_error("no figure " + name);
}

TEST(Illustrated, says_what_the_comparison_could_have_found_at_the_spread_it_saw) {
  const ordered_json one = document()["comparisons"][0];
  // The differences 0.01, 0.02, ..., 0.12 have the variance 0.01^2 * 12 * 13/12.
  // Each difference of numbers below 1 has three roundings of at most half of 2^-53, and so has their deviation.
  constexpr double rounding = 3 * 0x1p-54;
  const double deviation = 0.01 * std::sqrt(13.0);
  const double deviations = one["detectable_deviations"].get<double>();
  EXPECT_NEAR(one["detectable"].get<double>(), deviations * deviation, 12 * deviations * rounding);
  EXPECT_NEAR(one["values"][2].get<double>(), 0.03, rounding);
  EXPECT_EQ(one["paper"], 0.5);
  EXPECT_EQ(one["claim"], "Sec 5");
}

TEST(Illustrated, takes_a_papers_difference_from_its_own_baseline_and_for_its_own_metric) {
  Experiment e = experiment();
  e.paper.baselines["twicing"] = 70;
  e.comparison.also = {attacked_metric("fgsm", 4, "accuracy")};
  const ordered_json comparisons = illustrated(e, summarise(e, results(), 5), curves())["comparisons"];
  EXPECT_EQ(comparisons[0]["paper"], 2.5);
  EXPECT_FALSE(comparisons[1].contains("paper")) << "the paper's numbers are accuracies on unharmed images";
}

TEST(Illustrated, says_how_every_layer_attends) {
  const ordered_json all = document();
  EXPECT_EQ(all["variants"][0]["attention"], "softmax");
  EXPECT_EQ(all["variants"][1]["attention"], ordered_json({"softmax", "twicing"}));
  EXPECT_EQ(all["variants"][1]["residual"], "standard");
}

TEST(Illustrated, draws_differences_curves_attacks_and_layers) {
  const ordered_json all = document();
  const ordered_json& differences = figure_called(all, "differences-test_accuracy");
  EXPECT_EQ(differences["y"]["places"], ordered_json::parse(R"([[1.0, "twicing"]])"));
  const ordered_json& curve = figure_called(all, "curve-training_loss");
  EXPECT_EQ(curve["series"][0]["points"], ordered_json::parse("[[10, 3.0, 2.0, 4.0]]"));
  EXPECT_EQ(figure_called(all, "attack-fgsm")["series"][1]["points"].size(), 2U);
  EXPECT_EQ(figure_called(all, "token-cosine")["series"][0]["points"].size(), 3U);
}

TEST(Illustrated, tabulates_attacks_with_their_own_strength) {
  const ordered_json table = document()["tables"][0];
  EXPECT_EQ(table["columns"].size(), table["rows"][0].size());
  EXPECT_THAT(table["rows"][1][1].get<std::string>(), StartsWith("0.8"));
  EXPECT_THAT(table["caption"].get<std::string>(), HasSubstr("FGSM"));
}

TEST(Illustrated, puts_what_a_variant_costs_beside_what_it_reaches) {
  AllResults costed = results();
  for (auto& [run, found] : costed) put_cost(found, {.parameters = 100, .step_flops = 2e9}, 1.5);
  const ordered_json all = illustrated(experiment(), summarise(experiment(), costed, 5), curves());
  EXPECT_EQ(all["variants"][0]["cost"][0], ordered_json::parse(R"(["Parameters", "100"])"));
  EXPECT_THAT(all["cost_note"].get<std::string>(), HasSubstr("Milliseconds per step are measured"));
  EXPECT_THAT(summary_table(all), HasSubstr("GFLOP per step"));
  EXPECT_FALSE(document()["variants"][0].contains("cost"));
}

TEST(Illustrated, tabulates_settings_and_warnings_where_there_are_any) {
  ordered_json summary = summarise(experiment(), results(), 5);
  const std::size_t without = illustrated(experiment(), summary, curves())["tables"].size();
  summary["warnings"] = warnings_json({{"twicing", 2, 30, "it diverges"}});
  summary["settings"] = ordered_json::parse(
      R"([{"variant": "softmax", "setting": "learning_rate=0.1", "validation_loss": 1.5, "chosen": 3, "diverged": 0}])");
  const ordered_json tables = illustrated(experiment(), summary, curves())["tables"];
  ASSERT_EQ(tables.size(), without + 2);
  EXPECT_EQ(tables[without]["rows"][0], ordered_json({"softmax", "learning_rate=0.1", "1.5000", "3", "0"}));
  EXPECT_EQ(tables[without + 1]["rows"][0], ordered_json({"twicing", "2", "30", "it diverges"}));
  EXPECT_EQ(warning_text({"twicing", 2, 30, "it diverges"}), "twicing, seed 2, step 30: it diverges");
}

TEST(Summarise, widens_intervals_for_every_metric_that_is_compared) {
  Experiment e = experiment();
  e.comparison.level = 0.2;
  const ordered_json one = summarise(e, results(), 5)["comparisons"];
  e.comparison.also = {attacked_metric("fgsm", 4, "accuracy")};
  const ordered_json two = summarise(e, results(), 5)["comparisons"];
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[1]["metric"], "fgsm_4_accuracy");
  EXPECT_LT(two[0]["interval"][0].get<double>(), one[0]["interval"][0].get<double>());
}

TEST(Summarise, gives_verdicts_that_say_what_they_rest_on) {
  Experiment e = experiment();
  const ordered_json all = summarise(e, results(), 5), one = all["comparisons"][0];
  EXPECT_EQ(one["verdict"], "a better");
  EXPECT_EQ(one["interval_class"], "symmetric");
  EXPECT_EQ(one["decided_at"], 9);
  EXPECT_EQ(one["pairs"], 12);
  EXPECT_LT(one["range_interval"][0].get<double>(), 0) << "accuracies of twelve seeds say little by their range alone";
  EXPECT_EQ(all["variants"][0]["metrics"]["test_accuracy"]["interval_class"], "asymptotic");
  EXPECT_THAT(all["assumption"].get<std::string>(), HasSubstr("symmetric"));
  const std::string table = summary_table(all);
  EXPECT_THAT(table, HasSubstr("asymptotic"));
  EXPECT_THAT(table, HasSubstr("twicing against softmax: twicing better"));
  e.comparison.smallest = 0.5;
  EXPECT_EQ(summarise(e, results(), 5)["comparisons"][0]["verdict"], "no difference above 0.5");
}

TEST(PowerSentence, agrees_with_its_numbers) {
  Experiment e = experiment();
  EXPECT_THAT(power_sentence(e), StartsWith("1 comparison with 12 paired seeds at level 0.01 finds, with probability"));
  e.comparison.also = {attacked_metric("fgsm", 4, "accuracy")};
  EXPECT_THAT(power_sentence(e),
              StartsWith("2 comparisons with 12 paired seeds at level 0.01 together find, with probability"));
  e.seeds = 1;
  EXPECT_THAT(power_sentence(e), StartsWith("2 comparisons with 1 paired seed at level 0.01 together: no verdict"));
}

TEST(PowerSentence, says_how_many_seeds_a_verdict_needs_at_least) {
  Experiment e = experiment();
  EXPECT_THAT(power_sentence(e), HasSubstr("standard deviations between seeds"));
  e.seeds = 3;
  EXPECT_THAT(power_sentence(e), HasSubstr("no verdict is possible with fewer than 9 seeds"));
}

TEST(Publish, writes_tables_for_spreadsheets_and_a_page) {
  const ScratchFolder folder;
  const Published published = publish(folder.path(), experiment(), summarise(experiment(), results(), 5), curves());
  EXPECT_THAT(content_of(published.page), HasSubstr("twicing with softmax"));
  EXPECT_THAT(content_of(folder.path() / "runs.csv"), StartsWith("variant,seed,fgsm_0_accuracy"));
  EXPECT_THAT(content_of(folder.path() / "curves.csv"), HasSubstr("softmax,2,10,training_loss,4\n"));
  EXPECT_EQ(ordered_json::parse(content_of(folder.path() / "summary.json")), document());
}

}  // namespace
}  // namespace attest::outcomes
