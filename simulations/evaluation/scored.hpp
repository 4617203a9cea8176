// How a trained model answers a batch.
#pragma once

#include "simulations/checkpoints/trained_model.hpp"

namespace attest::training {

/// Sums over the answers of a batch.
struct Scored {
  double loss = 0;   ///< cross-entropy in nats
  double right = 0;  ///< how many best-scored classes are right, the first of equal ones
};

/// One forward pass. Precondition: a model with classes.
Scored scored(const TrainedModel& model, const Batch& batch);

}  // namespace attest::training
