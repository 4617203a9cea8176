// Entropy of attention rows, by which dead heads are found.
#pragma once

#include <vector>

#include "simulations/models/transformer/transformer.hpp"
#include "simulations/tasks/task.hpp"
#include "simulations/training/watch.hpp"

namespace attest::training {

using models::ForwardPass;
using models::LayerView;
using models::Transformer;
using tasks::Task;

/// Of every head of one layer, over the rows of all examples whose query may see two keys or more: the mean and the
/// least of H(row)/log(keys). Empty where the layer's matrix has negative entries (as twicing's may) or rows that do
/// not sum to 1 (as those of graph diffusion), or is none: entropy says nothing of those.
std::vector<HeadEntropy> entropies_of(const LayerView& layer, Index heads);

/// Of all layers, on one or two examples of the validation part. Empty for weights on another device than the
/// processor, and for sequences whose matrices would take more than 32 MiB per layer. Errors: as Transformer::logits.
std::vector<HeadEntropy> head_entropies(const Transformer& model, const std::vector<at::Tensor>& weights,
                                        ForwardPass pass, const Task& task);

}  // namespace attest::training
