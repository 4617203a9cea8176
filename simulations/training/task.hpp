// What a model is trained on: batches of examples with their answers, from a data set's three parts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "simulations/data/idx.hpp"
#include "simulations/training/experiment.hpp"

namespace attest::training {

/// Examples as a model reads them.
struct Batch {
  std::vector<float> pixels;          ///< [example][row][column], standardised; empty for text
  std::vector<std::int64_t> tokens;   ///< [example][token]; empty for images
  std::vector<std::int64_t> answers;  ///< the class of each image, or the token behind each token
};

/// One part of the data.
struct Part {
  simulations::IdxImages images;
  std::vector<std::uint8_t> labels;
  std::vector<std::int64_t> tokens;
};

/// A task in memory. The test part is for one evaluation at the end.
struct Task {
  ModelShape shape;
  Index context = 0;               ///< tokens of an example; 0 for images
  double mean = 0, deviation = 1;  ///< of the training part's pixels as value/255
  Part train, validation, test;

  /// Examples of a part as evaluations take them: images, or windows of `context` tokens side by side.
  std::size_t examples(const Part& part) const;
  /// Those of the examples first, first + 1, ..., first + count - 1.
  Batch batch(const Part& part, std::size_t first, std::size_t count) const;
  /// Batch number `number` of `size` examples of the training part: images in an order drawn afresh for every epoch,
  /// windows of a text at random places. A pure function of (seed, number, size).
  Batch training_batch(std::uint64_t seed, std::uint64_t number, Index size) const;
};

/// The images and labels of IDX files, or the distinct bytes of a text as its characters.
/// Errors: simulations::MissingData; std::invalid_argument when the data do not suit the kind of model, or a part is
/// empty or shorter than a window; std::runtime_error of the readers.
Task load_task(const DataSpec& data, ModelSpec::Kind kind, Index context, const std::filesystem::path& data_dir);

}  // namespace attest::training
