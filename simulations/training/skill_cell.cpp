#include "simulations/training/skill_cell.hpp"

#include <cmath>
#include <ctime>

#include "simulations/evaluation/cost_columns.hpp"
#include "simulations/training/trainer.hpp"

namespace attest::training {

using evaluation::training_cost;
namespace {

double processor_seconds() {
  std::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

std::optional<journal::Results> train_cell(const Experiment& experiment, const Task& task, const VariantSpec& variant,
                                           std::uint64_t seed, const std::atomic<bool>& stop) {
  Trainer trainer(variant.model, experiment.training, task, seed + variant.seed_offset, 1);
  const double begun = processor_seconds();
  try {
    while (trainer.steps() < experiment.training.steps) {
      if (stop) return std::nullopt;
      trainer.step();
    }
    const double seconds = processor_seconds() - begun;
    const Scores scores = trainer.evaluate(task.test);
    if (!std::isfinite(scores.loss)) return journal::Results{{"diverged", static_cast<double>(trainer.state().step)}};
    journal::Results results;
    if (task.shape.regression) {
      results["test_rmse"] = std::sqrt(scores.loss) * task.targets.deviation;
    } else {
      results["test_accuracy"] = scores.accuracy;
      results["test_loss"] = scores.loss;
    }
    put_cost(results, training_cost(variant.model, experiment.training, 1, trainer.tokens(), trainer.parameters()),
             1000 * seconds / static_cast<double>(experiment.training.steps));
    results["data_order"] = static_cast<double>(trainer.state().data_order >> 12U);
    return results;
  } catch (const TrainingDiverged&) {
    return journal::Results{{"diverged", static_cast<double>(trainer.state().step)}};
  }
}

}  // namespace attest::training
