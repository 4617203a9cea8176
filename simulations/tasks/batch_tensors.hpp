// Batches as LibTorch tensors on their own memory.
#pragma once

#include <algorithm>
#include <vector>

#include "simulations/models/transformer.hpp"
#include "simulations/tasks/task.hpp"

namespace attest::training {

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
  Slice slice;
  if (reads_images(kind))
    slice.input.values = borrow(batch.values, at::kFloat, {shape.channels, shape.rows, shape.columns});
  else if (kind == ModelSpec::Kind::series)
    slice.input.values = borrow(batch.values, at::kFloat, {shape.tokens, shape.dimensions});
  else if (kind == ModelSpec::Kind::pairs)
    slice.input.values =
        borrow(batch.tokens, at::kLong, {2, static_cast<Index>(batch.tokens.size()) / 2 / batch.count});
  else
    slice.input.values = borrow(batch.tokens, at::kLong, {static_cast<Index>(batch.tokens.size()) / batch.count});
  if (!batch.lengths.empty()) {
    const Index texts = kind == ModelSpec::Kind::pairs ? 2 : 1;
    slice.input.lengths.assign(batch.lengths.begin() + texts * first, batch.lengths.begin() + texts * (first + count));
    const Index longest = *std::max_element(slice.input.lengths.begin(), slice.input.lengths.end());
    if (!fixed_length) slice.input.values = slice.input.values.narrow(texts, 0, std::max<Index>(1, longest));
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

}  // namespace attest::training
