#include "simulations/experiment/read_evaluation.hpp"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulations/experiment/read_experiment.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::experiment {
namespace {

using test_support::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

Experiment with(const std::string& more) {
  return parse_experiment(
      "[data]\nname = \"fashion-mnist\"\n[model]\nkind = \"vision\"\nlayers = 2\n"
      "[[variant]]\nname = \"softmax\"\n[[variant]]\nname = \"twicing\"\nattention = \"twicing\"\n" +
          more,
      "e.toml", {});
}

std::string complaint(const std::string& more) {
  return message_of<std::invalid_argument>([&] { with(more); });
}

TEST(ReadEvaluation, asks_for_nothing_by_default) {
  const Experiment e = with("");
  EXPECT_FALSE(e.evaluation.any());
  EXPECT_TRUE(e.paper.source.empty());
}

TEST(ReadEvaluation, takes_attacks_and_measures) {
  const EvaluationSpec e =
      with(
          "[evaluation]\nexamples = 64\nfgsm = [1, 4]\npgd = [0.5]\npgd_steps = 7\npgd_step = 0.3\n"
          "swapped_words = 0.04\nmeasures = [\"tokens\", \"cost\"]\nmaps = 3\n")
          .evaluation;
  EXPECT_EQ(e.examples, 64);
  EXPECT_THAT(e.fgsm, ElementsAre(1, 4));
  EXPECT_THAT(e.pgd, ElementsAre(0.5));
  EXPECT_EQ(e.pgd_steps, 7);
  EXPECT_EQ(e.pgd_step, 0.3);
  EXPECT_EQ(e.swapped_words, 0.04);
  EXPECT_TRUE(e.tokens && e.cost && !e.heads);
  EXPECT_EQ(e.maps, 3);
}

TEST(ReadEvaluation, takes_corruptions_by_name_or_all) {
  EXPECT_EQ(with("[evaluation]\ncorruptions = [\"all\"]\n").evaluation.corruptions.size(), 15U);
  const EvaluationSpec e =
      with(
          "[evaluation]\ncorruptions = [\"fog\", \"snow\"]\ncorrupted_set = \"CIFAR-10-C\"\nspsa = [1]\n"
          "spsa_steps = 3\nspsa_samples = 4\n")
          .evaluation;
  EXPECT_THAT(e.corruptions, ElementsAre("fog", "snow"));
  EXPECT_EQ(e.corrupted_set, "CIFAR-10-C");
  EXPECT_THAT(e.spsa, ElementsAre(1));
  EXPECT_EQ(e.spsa_steps, 3);
  EXPECT_EQ(e.spsa_samples, 4);
  EXPECT_THAT(complaint("[evaluation]\ncorruptions = [\"fogg\"]\n"),
              HasSubstr("e.toml, line 12: unknown corruption fogg; did you mean fog"));
  EXPECT_THAT(complaint("[evaluation]\ncorruptions = [\"fog\", \"fog\"]\n"), HasSubstr("fog is named twice"));
}

TEST(ReadEvaluation, refuses_radii_that_do_not_increase_and_unknown_words) {
  EXPECT_THAT(complaint("[evaluation]\nfgsm = [4, 1]\n"), HasSubstr("e.toml, line 12: fgsm is not an increasing list"));
  EXPECT_THAT(complaint("[evaluation]\npgd = [0]\n"), HasSubstr("pgd is not an increasing list"));
  EXPECT_THAT(complaint("[evaluation]\nmeasures = [\"toknes\"]\n"), HasSubstr("unknown measure toknes"));
  EXPECT_THAT(complaint("[evaluation]\nfgms = [1]\n"), HasSubstr("fgms"));
}

TEST(RequireMetrics, finds_a_metric_that_nothing_measures_before_the_training) {
  EXPECT_NO_THROW(
      with("[evaluation]\nfgsm = [1, 4]\nmeasures = [\"tokens\"]\n"
           "[comparison]\nmetric = \"fgsm_4_accuracy\"\nalso = [\"test_loss\", \"token_cosine_layer_2\"]\n"));
  EXPECT_THAT(complaint("[evaluation]\nfgsm = [1, 4]\n[comparison]\nalso = [\"fgsm_2_accuracy\"]\n"),
              HasSubstr("fgsm_2_accuracy, which is not measured; did you mean fgsm_"));
  EXPECT_THAT(complaint("[comparison]\nmetric = \"pgd_1_accuracy\"\n"), HasSubstr("which is not measured"));
}

TEST(ReadPaper, takes_numbers_and_claims_of_variants_alone) {
  const PaperSpec paper = with(
                              "[paper]\nsource = \"A paper, Table 1\"\n[paper.values]\nsoftmax = 72\ntwicing = 72.6\n"
                              "[paper.baselines]\ntwicing = 71.9\n[paper.claims]\ntwicing = \"Table 1\"\n")
                              .paper;
  EXPECT_EQ(paper.values.at("twicing"), 72.6);
  EXPECT_EQ(paper.baselines.at("twicing"), 71.9);
  EXPECT_EQ(paper.claims.at("twicing"), "Table 1");
  EXPECT_THAT(complaint("[paper]\nsource = \"x\"\n[paper.values]\nthricing = 1\n"),
              HasSubstr("thricing is not a variant"));
  EXPECT_THAT(complaint("[paper]\nnote = \"x\"\n"), HasSubstr("lacks a source"));
}

}  // namespace
}  // namespace attest::experiment
