// How a trained model answers a batch.
#pragma once

#include "simulations/checkpoints/trained_model.hpp"

namespace attest::evaluation {

using attention::Index;
using checkpoints::TrainedModel;
using tasks::Batch;
using tasks::Part;
using tasks::Task;

/// Sums over the answers of a batch.
struct Scored {
  double loss = 0;   ///< cross-entropy in nats
  double right = 0;  ///< how many best-scored classes are right, the first of equal ones
};

/// One forward pass. Precondition: a model with classes.
Scored scored(const TrainedModel& model, const Batch& batch);

/// Means over the answers of the part's first `examples` examples: a language model's are its tokens.
Scored mean_scores(const TrainedModel& model, const Task& task, const Part& part, Index examples, unsigned threads);

}  // namespace attest::evaluation
