#include "simulations/training/run.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "simulations/checkpoints/start_weights.hpp"
#include "simulations/evaluation/evaluate.hpp"
#include "simulations/measure/trained/attention_maps.hpp"
#include "simulations/outcomes/event_file.hpp"
#include "simulations/tasks/segmentation_scores.hpp"
#include "simulations/training/trainer.hpp"

namespace attest::training {
namespace {

/// Training losses are recorded about this often, so that a record stays small however long the training is.
constexpr Index recorded_losses = 200;

class Run {
 public:
  Run(const RunPlan& plan, const VariantSpec& variant, std::uint64_t seed)
      : plan_(plan),
        variant_(variant),
        seed_(seed),
        stem_(fmt::format("{}-seed-{}", variant.name, seed)),
        trainer_(variant.model, plan.experiment.training, plan.task, seed + variant.seed_offset, plan.threads) {}

  std::optional<journal::Results> operator()() {
    const TrainingSpec& how = plan_.experiment.training;
    if (!how.start.empty())
      trainer_.start_with(start_weights(how.start, trainer_.parameters(), trainer_.state().weights).values);
    if (auto state = read_checkpoint(checkpoint(), trainer_.parameters(), identity()))
      trainer_.restore(std::move(*state));
    plan_.record.forget_after(variant_.name, seed_, trainer_.state().step);
    events_.emplace(plan_.directory / "tensorboard" / stem_, trainer_.state().step);
    const Index every = std::max<Index>(1, how.steps / recorded_losses);
    while (trainer_.state().step < how.steps && !trainer_.state().stopped) {
      const double loss = trainer_.step();
      const Index step = trainer_.state().step;
      if (step % every == 0) {
        fresh_.push_back({step, "training_loss", loss});
        if (has_experts(variant_.model)) fresh_.push_back({step, "training_dropped_tokens", trainer_.dropped_share()});
      }
      const bool evaluated = how.evaluate_every > 0 && step % how.evaluate_every == 0 && step < how.steps;
      if (evaluated) note_validation();
      const bool stop = plan_.stop;
      if (stop || step % how.checkpoint_every == 0 || trainer_.state().stopped) save();
      if (plan_.on_step) plan_.on_step(variant_, seed_, step, loss);
      if (stop) return std::nullopt;
    }
    return finish();
  }

 private:
  std::filesystem::path checkpoint() const { return plan_.directory / "checkpoints" / (stem_ + ".state.safetensors"); }
  std::string identity() const { return plan_.experiment.canonical + "\n" + stem_; }

  void keep_measurements() {
    plan_.record.add(variant_.name, seed_, fresh_);
    events_->add(fresh_);
    fresh_.clear();
  }

  void save() {
    // The record first: numbers behind the checkpoint's step are forgotten on resuming, missing ones never come back.
    keep_measurements();
    write_checkpoint(checkpoint(), trainer_.parameters(), trainer_.state(), identity());
  }

  Scores note_validation() {
    const Scores scores = trainer_.evaluate(plan_.task.validation);
    const Index step = trainer_.state().step;
    if (!std::isfinite(scores.loss))
      throw TrainingDiverged(
          fmt::format("step {}: the validation loss is {}; lower training.learning_rate or give "
                      "training.clip",
                      step, scores.loss));
    fresh_.push_back({step, "validation_loss", scores.loss});
    if (!plan_.task.shape.regression) fresh_.push_back({step, "validation_accuracy", scores.accuracy});
    trainer_.note_validation(scores.loss);
    return scores;
  }

  void put(journal::Results& results, const std::string& part, const Scores& scores) const {
    if (!std::isfinite(scores.loss))
      throw TrainingDiverged(
          fmt::format("step {}: the {} loss is {}; lower training.learning_rate or give training.clip",
                      trainer_.state().step, part, scores.loss));
    results[part + "_loss"] = scores.loss;
    if (has_experts(variant_.model)) results[part + "_dropped_tokens"] = scores.dropped;
    if (plan_.task.shape.regression) {
      results[part + "_rmse"] = std::sqrt(scores.loss) * plan_.task.targets.deviation;
      return;
    }
    results[part + "_accuracy"] = scores.accuracy;
    if (plan_.task.kind == ModelSpec::Kind::segmentation) {
      const SegmentationScores found = segmentation_scores(scores.confusion);
      results[part + "_mean_accuracy"] = found.mean_accuracy;
      results[part + "_mean_iou"] = found.mean_iou;
      return;
    }
    if (plan_.task.kind == ModelSpec::Kind::language)
      results[part + "_perplexity"] = std::exp(scores.loss);
    else
      results[part + "_accuracy_top5"] = scores.top5;
  }

  journal::Results finish() {
    journal::Results results;
    if (!trainer_.state().stopped) note_validation();
    if (plan_.experiment.training.patience > 0) trainer_.take_best();
    put(results, "validation", trainer_.evaluate(plan_.task.validation));
    if (plan_.task.examples(plan_.task.test) > 0) put(results, "test", trainer_.evaluate(plan_.task.test));
    if (const EvaluationSpec& asked = plan_.experiment.evaluation; asked.any()) {
      const TrainedModel model(variant_.model, plan_.task.shape, trainer_.state().weights);
      results.merge(evaluate(model, plan_.task, asked, seed_, plan_.threads));
      if (asked.maps > 0) write_attention_maps(model, plan_.task, asked.maps, plan_.directory / "maps", stem_);
    }
    results["steps"] = static_cast<double>(trainer_.state().step);
    results["data_order"] = static_cast<double>(trainer_.state().data_order >> 12U);  // exact as a double
    write_weights(plan_.directory / "checkpoints" / (stem_ + ".safetensors"), trainer_.parameters(),
                  trainer_.state().weights, {plan_.experiment.canonical, variant_.name, seed_, plan_.task.shape});
    keep_measurements();
    plan_.record.finish(variant_.name, seed_, results);
    // Finished runs are known by the record; their state has no further use.
    std::error_code ignored;
    std::filesystem::remove(checkpoint(), ignored);
    return results;
  }

  const RunPlan& plan_;
  const VariantSpec& variant_;
  const std::uint64_t seed_;
  const std::string stem_;
  Trainer trainer_;
  std::vector<journal::Measurement> fresh_;
  std::optional<EventFile> events_;
};

}  // namespace

std::optional<journal::Results> run_variant(const RunPlan& plan, const VariantSpec& variant, std::uint64_t seed) {
  if (journal::Results results = plan.record.results(variant.name, seed); !results.empty()) return results;
  try {
    return Run(plan, variant, seed)();
  } catch (const TrainingDiverged& failure) {
    throw TrainingDiverged(fmt::format("{}, seed {}, {}", variant.name, seed, failure.what()));
  }
}

}  // namespace attest::training
