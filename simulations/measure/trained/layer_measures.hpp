// What the layers of a trained model do to tokens: how alike they become, and how far heads are apart.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "simulations/checkpoints/trained_model.hpp"

namespace attest::measure {

using attention::Index;
using checkpoints::FloatTensor;
using checkpoints::TrainedModel;
using models::ModelSpec;
using tasks::Batch;
using tasks::Task;

/// Means over examples.
struct LayerMeasures {
  std::vector<double> token_cosine;   ///< mean cosine between tokens of Y_0, ..., Y_L
  std::vector<double> head_distance;  ///< of each layer: mean over pairs of heads and tokens of |o_h - o_k|, o_h the
                                      ///< output of head h before the projection that joins them; 0 for one head
};

/// Over the first `examples` examples of the task's evaluated part.
LayerMeasures measure_layers(const TrainedModel& model, const Task& task, Index examples, unsigned threads);

/// How many of the first of N tokens example `example` has, its class token with them.
Index present_tokens(const ModelSpec& spec, const Batch& batch, Index example, Index tokens);

/// The first `rows` rows of example `example` of [B][N][C].
Eigen::MatrixXd tokens_of(const FloatTensor& states, Index example, Index rows);

/// The first `rows` rows of one head of one example of [B][H][N][D].
Eigen::MatrixXd head_of(const FloatTensor& heads, Index example, Index head, Index rows);

/// Mean over pairs of `heads` blocks of columns, and over rows, of their Euclidean distance.
double mean_head_distance(const Eigen::MatrixXd& mixed, Index heads);

}  // namespace attest::measure
