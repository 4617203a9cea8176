#include "theorems/engine/runner/trained_runs.hpp"

#include <cmath>
#include <set>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"
#include "theorems/engine/protocols/awaiting.hpp"
#include "theorems/engine/protocols/paired_differences.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/trained_models.hpp"

namespace attest::engine {
namespace {

using test_support::message_of;
using test_support::ScratchFolder;
using testing::HasSubstr;

/// "Graph diffusion has less loss than softmax" on texts and on images.
std::vector<TrainedQuestion> questions() {
  const auto ask = [](const char* name, const char* data) {
    return TrainedQuestion{.claim = "p/gains",
                           .name = name,
                           .a = {"graph-diffusion", "standard", "loss"},
                           .b = {"softmax", "standard", "loss"},
                           .relation = Relation::less,
                           .data_sets = {data}};
  };
  return {ask("text", "shakespeare"), ask("images", "mnist")};
}

TrainedRun training(const std::string& data, const std::vector<double>& diffusion) {
  TrainedRun run{"run.json", "abc", data, 2, 16, 2, 7, {}};
  const std::vector<double> cycle = {1.0, 1.1, 0.9, 1.2, 1.0};
  std::vector<double> plain;
  for (std::size_t s = 0; s < diffusion.size(); ++s) plain.push_back(cycle[s % cycle.size()]);
  std::vector<double> other;
  for (std::size_t s = 0; s < diffusion.size(); ++s) other.push_back(plain[s] + diffusion[s]);
  run.variants = {{"base", {"softmax"}, {"standard"}, {{"loss", plain}}},
                  {"other", {"graph-diffusion", "graph-diffusion"}, {"standard"}, {{"loss", other}}}};
  return run;
}

/// Sixteen seeds, as the ready-made experiments have: enough for the level of one question of a few.
std::vector<double> sixteen_times(const std::vector<double>& values) {
  std::vector<double> all;
  for (std::size_t s = 0; s < 16; ++s) all.push_back(values[s % values.size()]);
  return all;
}
const std::vector<double> better = sixteen_times({-0.5, -0.51, -0.49, -0.505, -0.495});
const std::vector<double> worse = sixteen_times({0.5, 0.51, 0.49, 0.505, 0.495});
const std::vector<double> mixed = sixteen_times({0.5, -0.5, 0.2, -0.1, 0.1});

/// The only result of a suite with one awaiting statement, judged by these trainings.
struct Judged {
  Claim claim;
  SuiteRun run;

  explicit Judged(const std::vector<TrainedRun>& trainings)
      : claim{{.id = "p/gains",
               .label = "Sec 1",
               .title = "gains",
               .kind = Kind::figure,
               .tex = "a<b",
               .assumptions = {},
               .expected = Verdict::undecided},
              awaits("runs", "it takes them"),
              {}} {
    run.false_alarm_bound = 1e-6;
    run.results.resize(1);
    run.results[0].claim = &claim;
    run.results[0].judgement = {Verdict::undecided, "nothing was evaluated here", "runs"};
    judge_by_training(run, trainings, questions());
  }
  const Judgement& judgement() const { return run.results[0].judgement; }
};

TEST(JudgeByTraining, supports_when_every_question_is_answered_on_the_claimed_side) {
  const Judged judged({training("tinyshakespeare", better), training("Fashion-MNIST", better)});
  EXPECT_EQ(judged.judgement().verdict, Verdict::supported);
  EXPECT_THAT(judged.judgement().reason, HasSubstr("run.json, SHA-256 abc"));
  EXPECT_DOUBLE_EQ(judged.run.false_alarm_bound, 1e-6);
  EXPECT_DOUBLE_EQ(judged.run.trained_false_alarm_bound, training_false_alarm);
}

TEST(JudgeByTraining, refutes_by_one_contrary_answer_and_leaves_a_witness_that_replays) {
  const Judged judged({training("tinyshakespeare", better), training("mnist", worse)});
  EXPECT_EQ(judged.judgement().verdict, Verdict::refuted);
  const auto witness = witness_of(judged.run.results[0].evidence);
  ASSERT_TRUE(witness.has_value());
  EXPECT_EQ(witness->part, "images");
  EXPECT_TRUE(replay_differences(*witness).confirmed);
  Witness reversed = *witness;
  reversed.relation = Relation::greater;
  EXPECT_FALSE(replay_differences(reversed).confirmed);
}

TEST(JudgeByTraining, leaves_undecided_what_is_answered_in_part_or_not_clearly) {
  const Judged half({training("tinyshakespeare", better)});
  EXPECT_EQ(half.judgement().verdict, Verdict::undecided);
  EXPECT_THAT(half.judgement().reason, HasSubstr("images is not answered (run.json: its data set is tinyshakespeare)"));
  const Judged equal({training("tinyshakespeare", better), training("mnist", sixteen_times({0}))});
  EXPECT_EQ(equal.judgement().verdict, Verdict::undecided);
  const Judged five({training("tinyshakespeare", {-0.5, -0.5, -0.5, -0.5, -0.5}), training("mnist", better)});
  EXPECT_EQ(five.judgement().verdict, Verdict::undecided) << "five seeds decide nothing at this level";
  EXPECT_THAT(five.judgement().would_change, HasSubstr("10 paired seeds or more (5 are there)"));
  EXPECT_THAT(half.judgement().would_change, HasSubstr("more seeds"));
  const Judged unclear({training("tinyshakespeare", better), training("mnist", mixed)});
  EXPECT_EQ(unclear.judgement().verdict, Verdict::undecided);
}

TEST(JudgeByTraining, never_hears_too_few_seeds_other_models_or_other_attention) {
  const Judged few({training("mnist", {0.5, 0.5})});
  EXPECT_THAT(few.judgement().reason, HasSubstr("it has 2 seeds, 5 are needed"));
  TrainedRun mixed_layers = training("mnist", worse);
  mixed_layers.variants[1].attention = {"softmax", "graph-diffusion"};
  EXPECT_THAT(Judged({mixed_layers}).judgement().reason, HasSubstr("it has no loss of graph-diffusion attention"));
  EXPECT_DOUBLE_EQ(Judged({mixed_layers}).run.trained_false_alarm_bound, 0);
}

TEST(JudgeByTraining, calls_a_loss_that_is_no_number_an_error) {
  const Judged judged({training("mnist", {0.5, std::nan(""), 0.5, 0.5, 0.5})});
  EXPECT_EQ(judged.judgement().verdict, Verdict::error);
}

/// With the true difference 0, an interval at level alpha excludes it no more often than alpha: here twice the level of
/// the suite's trainings would show, so the level itself is what is computed with.
TEST(JudgeByTraining, shares_its_error_among_questions_and_files) {
  const Judged judged({training("tinyshakespeare", worse), training("mnist", better)});
  EXPECT_DOUBLE_EQ(witness_of(judged.run.results[0].evidence)->alpha, training_false_alarm / 2);
}

TEST(TrainedQuestions, are_about_statements_that_wait_for_them) {
  std::set<std::string> asked;
  for (const TrainedQuestion& question : trained_questions()) {
    EXPECT_TRUE(find_claim(question.claim).check.awaiting) << question.claim;
    EXPECT_TRUE(asked.insert(question.claim + question.name).second) << question.name;
    EXPECT_GE(question.least_seeds, 5);
  }
}

/// Waiting alone establishes nothing: without the results that answer, every check would differ from the record.
TEST(TrainedQuestions, are_asked_of_every_waiting_statement_that_has_a_verdict) {
  std::set<std::string> asked;
  for (const TrainedQuestion& question : trained_questions()) asked.insert(question.claim);
  for (const Claim& claim : all_claims())
    EXPECT_TRUE(!claim.check.awaiting || claim.statement.expected == Verdict::undecided ||
                asked.contains(claim.statement.id))
        << claim.statement.id;
}

TEST(ReadTrainedRun, takes_a_summary_and_refuses_everything_else) {
  const ScratchFolder folder;
  const auto file = folder.write(
      "summary.json",
      R"({"data_set": "mnist", "seed": 3, "model": {"layers": 2, "width": 16, "heads": 2}, "variants": [{"name": "a",
          "attention": ["softmax", "twicing"], "residual": "standard",
          "metrics": {"loss": {"values": [1, null]}}}]})");
  const TrainedRun run = read_trained_runs(file).front();
  EXPECT_EQ(run.variants.at(0).attention.size(), 2U);
  EXPECT_TRUE(std::isnan(run.variants.at(0).metrics.at("loss").at(1)));
  EXPECT_EQ(run.digest.size(), 64U);
  const auto other = folder.write("other.json", "{}");
  EXPECT_THAT(message_of<std::invalid_argument>([&] { read_trained_runs(other); }),
              HasSubstr("other.json is not a summary"));
  EXPECT_THAT(message_of<std::invalid_argument>([&] { read_trained_runs(folder.path() / "none"); }),
              HasSubstr("cannot read"));
}

}  // namespace
}  // namespace attest::engine
