#include "simulations/training/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "simulations/checkpoints/start_weights.hpp"
#include "simulations/evaluation/cost_columns.hpp"
#include "simulations/evaluation/evaluate.hpp"
#include "simulations/measure/trained/attention_maps.hpp"
#include "simulations/outcomes/event_file.hpp"
#include "simulations/outcomes/settings.hpp"
#include "simulations/tasks/segmentation_scores.hpp"
#include "simulations/training/gates.hpp"
#include "simulations/training/trainer.hpp"
#include "simulations/training/watch.hpp"

namespace attest::training {

using checkpoints::read_checkpoint;
using checkpoints::start_weights;
using checkpoints::TrainedModel;
using checkpoints::write_weights;
using evaluation::evaluate;
using evaluation::training_cost;
using evaluation::TrainingCost;
using experiment::EvaluationSpec;
using measure::write_attention_maps;
using models::Measures;
using outcomes::EventFile;
using outcomes::run_name;
using tasks::segmentation_scores;
using tasks::SegmentationScores;
namespace {

/// Training losses are recorded about this often, so that a record stays small however long the training is.
constexpr Index recorded_losses = 200;
/// And attention is looked at so often.
constexpr Index looks_at_attention = 10;

using Clock = std::chrono::steady_clock;

TrainingCost cost_of(const Trainer& trainer, const VariantSpec& variant, const TrainingSpec& how, const Task& task) {
  return training_cost(variant.model, how, traits_of(task.kind).texts, trainer.tokens(), trainer.parameters());
}

class Run {
 public:
  Run(const RunPlan& plan, const VariantSpec& variant, std::uint64_t seed)
      : plan_(plan),
        variant_(variant),
        seed_(seed),
        name_(run_name(variant, plan.setting)),
        stem_(fmt::format("{}-seed-{}", name_, seed)),
        how_(plan.setting == nullptr ? plan.experiment.training : plan.setting->training),
        trainer_(variant.model, how_, plan.task, seed + variant.seed_offset, plan.threads),
        watch_(loss_of_guessing(plan.task)) {}

  std::optional<journal::Results> operator()() {
    if (!how_.start.empty())
      trainer_.start_with(start_weights(how_.start, trainer_.parameters(), trainer_.state().weights).values);
    if (auto state = read_checkpoint(checkpoint(), trainer_.parameters(), identity()))
      trainer_.restore(std::move(*state));
    plan_.record.forget_after(name_, seed_, trainer_.steps());
    events_.emplace(plan_.directory / "tensorboard" / stem_, trainer_.steps());
    const Index every = std::max<Index>(1, how_.steps / recorded_losses);
    const Index look_every = std::max<Index>(1, how_.steps / looks_at_attention);
    while (trainer_.steps() < how_.steps && !trainer_.stopped()) {
      const auto begun = Clock::now();
      const double loss = trainer_.step();
      trainer_.add_seconds(std::chrono::duration<double>(Clock::now() - begun).count());
      const Index step = trainer_.steps();
      if (const auto sentence = watch_.see(loss)) warn(*sentence);
      if (step % look_every == 0) look_at_attention();
      if (step % every == 0) {
        fresh_.push_back({step, "training_loss", loss});
        if (has_experts(variant_.model)) fresh_.push_back({step, "training_dropped_tokens", trainer_.dropped_share()});
      }
      const bool evaluated = how_.evaluate_every > 0 && step % how_.evaluate_every == 0 && step < how_.steps;
      if (evaluated) note_validation();
      const bool stop = plan_.stop;
      if (stop || step % how_.checkpoint_every == 0 || trainer_.stopped()) save();
      if (plan_.on_step) plan_.on_step(name_, seed_, step, loss);
      if (stop) return std::nullopt;
    }
    return finish();
  }

 private:
  std::filesystem::path checkpoint() const { return plan_.directory / "checkpoints" / (stem_ + ".state.safetensors"); }
  std::string identity() const { return plan_.experiment.canonical + "\n" + stem_; }

  void warn(const std::string& sentence) {
    const journal::RunWarning warning{name_, seed_, trainer_.steps(), sentence};
    plan_.record.warn(warning);
    if (plan_.on_warning) plan_.on_warning(warning);
  }

  /// Notes how far attention is spread, and which heads are dead.
  void look_at_attention() {
    std::vector<HeadEntropy> heads;
    try {
      heads = trainer_.head_entropies();
    } catch (const std::invalid_argument&) {
      return;  // Numbers that a mechanism refuses end the run at its next step, with their place.
    }
    for (const std::string& sentence : watch_.see(heads)) warn(sentence);
    double sum = 0;
    for (const HeadEntropy& one : heads) sum += one.mean;
    if (!heads.empty())
      fresh_.push_back({trainer_.steps(), "attention_entropy", sum / static_cast<double>(heads.size())});
  }

  void keep_measurements() {
    plan_.record.add(name_, seed_, fresh_);
    events_->add(fresh_);
    fresh_.clear();
  }

  void save() {
    // The record first: numbers after the checkpoint's step are forgotten on resuming, missing ones never come back.
    keep_measurements();
    write_checkpoint(checkpoint(), trainer_.parameters(), trainer_.state(), identity());
  }

  Scores note_validation() {
    Scores scores = trainer_.evaluate(plan_.task.validation);
    const Index step = trainer_.steps();
    if (!std::isfinite(scores.loss))
      throw TrainingDiverged(
          step,
          fmt::format("the validation loss is {}; lower training.learning_rate or give training.clip", scores.loss));
    fresh_.push_back({step, "validation_loss", scores.loss});
    if (!plan_.task.shape.regression) fresh_.push_back({step, "validation_accuracy", scores.accuracy});
    trainer_.note_validation(scores.loss);
    return scores;
  }

  void put(journal::Results& results, const std::string& part, const Scores& scores) const {
    if (!std::isfinite(scores.loss))
      throw TrainingDiverged(
          trainer_.steps(),
          fmt::format("the {} loss is {}; lower training.learning_rate or give training.clip", part, scores.loss));
    results[part + "_loss"] = scores.loss;
    if (has_experts(variant_.model)) results[part + "_dropped_tokens"] = scores.dropped;
    if (plan_.task.shape.regression) {
      results[part + "_rmse"] = std::sqrt(scores.loss) * plan_.task.targets.deviation;
      return;
    }
    results[part + "_accuracy"] = scores.accuracy;
    switch (traits_of(plan_.task.kind).measures) {
      case Measures::overlap: {
        const SegmentationScores found = segmentation_scores(scores.confusion);
        results[part + "_mean_accuracy"] = found.mean_accuracy;
        results[part + "_mean_iou"] = found.mean_iou;
        break;
      }
      case Measures::perplexity:
        results[part + "_perplexity"] = std::exp(scores.loss);
        break;
      case Measures::top5:
        results[part + "_accuracy_top5"] = scores.top5;
        break;
    }
  }

  journal::Results finish() {
    journal::Results results;
    if (!trainer_.stopped()) note_validation();
    if (how_.patience > 0) trainer_.take_best();
    put(results, "validation", trainer_.evaluate(plan_.task.validation));
    if (plan_.task.examples(plan_.task.test) > 0) put(results, "test", trainer_.evaluate(plan_.task.test));
    if (const EvaluationSpec& asked = plan_.experiment.evaluation; asked.any()) {
      const TrainedModel model(variant_.model, plan_.task.shape, trainer_.state().weights);
      results.merge(evaluate(model, plan_.task, asked, seed_, plan_.threads));
      if (asked.maps > 0) write_attention_maps(model, plan_.task, asked.maps, plan_.directory / "maps", stem_);
    }
    const auto steps = static_cast<double>(trainer_.steps());
    put_cost(results, cost_of(trainer_, variant_, how_, plan_.task), 1000 * trainer_.state().seconds / steps);
    results["steps"] = steps;
    results["data_order"] = static_cast<double>(trainer_.state().data_order >> 12U);  // exact as a double
    write_weights(plan_.directory / "checkpoints" / (stem_ + ".safetensors"), trainer_.parameters(),
                  trainer_.state().weights, {plan_.experiment.canonical, variant_.name, seed_, plan_.task.shape});
    keep_measurements();
    plan_.record.finish(name_, seed_, results);
    // Finished runs are known by the record; their state has no further use.
    std::error_code ignored;
    std::filesystem::remove(checkpoint(), ignored);
    return results;
  }

  const RunPlan& plan_;
  const VariantSpec& variant_;
  const std::uint64_t seed_;
  const std::string name_, stem_;
  const TrainingSpec& how_;
  Trainer trainer_;
  Watch watch_;
  std::vector<journal::Measurement> fresh_;
  std::optional<EventFile> events_;
};

}  // namespace

std::optional<journal::Results> run_variant(const RunPlan& plan, const VariantSpec& variant, std::uint64_t seed) {
  const std::string name = run_name(variant, plan.setting);
  if (journal::Results results = plan.record.results(name, seed); !results.empty()) return results;
  try {
    return Run(plan, variant, seed)();
  } catch (const TrainingDiverged& failure) {
    const journal::RunWarning warning{name, seed, failure.step, failure.sentence};
    plan.record.warn(warning);
    if (plan.setting == nullptr)
      throw TrainingDiverged(failure.step, failure.sentence, fmt::format("{}, seed {}, ", name, seed));
    // One of several settings: it is not chosen.
    if (plan.on_warning) plan.on_warning(warning);
    journal::Results diverged{{"diverged", static_cast<double>(failure.step)}};
    plan.record.finish(name, seed, diverged);
    return diverged;
  }
}

}  // namespace attest::training
