// Batches as LibTorch tensors on their own memory.
#pragma once

#include <algorithm>
#include <vector>

#include "simulations/models/transformer/transformer.hpp"
#include "simulations/tasks/task.hpp"

namespace attest::tasks {

using models::ModelInput;
using models::Reads;

/// A part of a batch; `batch` must outlive it.
struct Slice {
  ModelInput input;
  at::Tensor answers;  ///< classes (int64), or the numbers of a regression [answers][1]
};

/// Examples first .. first + count - 1 of a batch. Where a model does not need all tokens of the task, sequences are
/// cut to the longest of the slice.
inline Slice slice_of(const Batch& batch, ModelSpec::Kind kind, const ModelShape& shape, bool fixed_length, Index first,
                      Index count) {
  // LibTorch takes borrowed memory as writable, but only reads it.
  const auto borrow = [&](const auto& values, at::ScalarType type, std::vector<Index> extents) {
    const Index size = static_cast<Index>(values.size()) / batch.count;
    extents.insert(extents.begin(), count);
    return at::from_blob(const_cast<void*>(static_cast<const void*>(values.data() + first * size)),  // NOLINT
                         extents, type);
  };
  const auto [texts, tokens] = std::pair{traits_of(kind).texts, static_cast<Index>(batch.tokens.size()) / batch.count};
  Slice slice;
  switch (traits_of(kind).reads) {
    case Reads::patches:
      slice.input.values = borrow(batch.values, at::kFloat, {shape.channels, shape.rows, shape.columns});
      break;
    case Reads::steps:
      slice.input.values = borrow(batch.values, at::kFloat, {shape.tokens, shape.dimensions});
      break;
    case Reads::tokens:
      slice.input.values = texts > 1 ? borrow(batch.tokens, at::kLong, {texts, tokens / texts})
                                     : borrow(batch.tokens, at::kLong, {tokens});
      break;
  }
  if (!batch.lengths.empty()) {
    slice.input.lengths.assign(batch.lengths.begin() + texts * first, batch.lengths.begin() + texts * (first + count));
    const Index longest = *std::max_element(slice.input.lengths.begin(), slice.input.lengths.end());
    if (!fixed_length)
      slice.input.values = slice.input.values.narrow(texts > 1 ? 2 : 1, 0, std::max<Index>(1, longest));
  }
  if (shape.regression)
    slice.answers =
        borrow(batch.targets, at::kFloat, {static_cast<Index>(batch.targets.size()) / batch.count}).view({-1, 1});
  else
    slice.answers =
        borrow(batch.answers, at::kLong, {static_cast<Index>(batch.answers.size()) / batch.count}).view({-1});
  return slice;
}

/// The same on a device; a slice that is there already stays as it is.
inline Slice on_device(Slice slice, const at::Device& device) {
  slice.input.values = slice.input.values.to(device);
  slice.answers = slice.answers.to(device);
  return slice;
}

/// Cross-entropy in nats, or squared error of a regression; what is not asked is left out.
inline at::Tensor loss_of(const at::Tensor& scores, const at::Tensor& answers, at::Reduction::Reduction reduction,
                          double smoothing) {
  if (answers.is_floating_point()) {
    const at::Tensor asked = answers.isnan().logical_not();
    return at::mse_loss(scores.masked_select(asked), answers.masked_select(asked), reduction);
  }
  return at::cross_entropy_loss(scores, answers, {}, reduction, -100, smoothing);
}

}  // namespace attest::tasks
