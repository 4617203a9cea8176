// What a model is trained on: batches of examples with their answers, from a data set's three parts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "simulations/data/images/labelled_images.hpp"
#include "simulations/data/series/time_series.hpp"
#include "simulations/data/text/token_vocabulary.hpp"
#include "simulations/experiment/experiment.hpp"

namespace attest::tasks {

using attention::Index;
using experiment::Augmentation;
using experiment::DataSpec;
using models::ModelShape;
using models::ModelSpec;

/// Examples as a model reads them. What the kind of model does not read is empty.
struct Batch {
  Index count = 0;
  /// vision, segmentation: [example][channel][row][column]; series: [example][step][dimension]; standardised, 0 where
  /// missing.
  std::vector<float> values;
  std::vector<std::int64_t> tokens;  ///< language, sequence: [example][token]; pairs: [example][2][token]
  /// sequence, pairs, series: tokens of each text or series before it was filled up to the longest of the task; empty:
  /// all are full.
  std::vector<Index> lengths;
  /// The class of each example; language: the token after each token; per token: each token's, segmentation: each
  /// pixel's, `unasked` where there is none.
  std::vector<std::int64_t> answers;
  std::vector<float>
      targets;  ///< regression: the number of each example, standardised; per token: each token's, or NaN
};

/// A digest of everything in a batch (FNV-1a, 64 bits): batches with equal ones are taken as equal.
std::uint64_t digest_of(const Batch& batch);

/// The class of a token or pixel that no answer is wanted of; LibTorch's losses leave it out.
inline constexpr std::int64_t unasked = -100;

/// Examples in which every token may be asked something, all of `tokens` tokens.
struct TokenExamples {
  std::size_t count = 0;
  std::vector<std::int32_t> tokens;   ///< sequence: [example][token]
  std::vector<float> values;          ///< series: [example][token][dimension]
  std::vector<std::int64_t> answers;  ///< [example][token], or `unasked`; empty for numbers
  std::vector<float> targets;         ///< [example][token], or NaN where nothing is asked; empty for classes
};

/// One part of the data.
struct Part {
  data::LabelledImages images;                       ///< vision with their classes, segmentation
  std::vector<std::uint8_t> masks;                   ///< segmentation: data::MaskedImages::masks
  data::SeriesSet series;                            ///< series, with their classes or numbers
  std::vector<std::int32_t> tokens;                  ///< language: one stream
  std::vector<std::vector<std::int32_t>> sequences;  ///< sequence; pairs: two per example
  std::vector<std::int32_t> labels;                  ///< sequence, pairs: their classes
  TokenExamples per_token;                           ///< where every token is answered
};

/// Mean and deviation by which numbers are standardised; always those of the training part.
struct Moments {
  double mean = 0, deviation = 1;
};

/// The order in which the training part was drawn for one epoch, kept from batch to batch.
struct EpochOrder {
  std::uint64_t epoch = 0;
  std::vector<std::size_t> order;
};

/// A task in memory. The test part is for one evaluation at the end.
struct Task {
  ModelSpec::Kind kind = ModelSpec::Kind::language;
  ModelShape shape;
  Index context = 0;              ///< language: tokens of an example
  std::vector<Moments> channels;  ///< vision: of each channel as value/255; series: of each dimension
  Moments targets;                ///< regression
  Augmentation augmentation;
  data::TokenVocabulary vocabulary;  ///< language, and sequences of words or characters
  Part train, validation, test;
  std::filesystem::path corrupted;  ///< vision: folder of published corrupted test images; empty: they are made

  /// Answers that an example has: language its tokens, segmentation its pixels, else 1.
  Index answers_per_example() const;
  /// Examples of a part as evaluations take them; language: windows of `context` tokens side by side.
  std::size_t examples(const Part& part) const;
  /// Those of the examples first, first + 1, ..., first + count - 1.
  Batch batch(const Part& part, std::size_t first, std::size_t count) const;
  /// Batch number `number` of `size` examples of the training part: in an order drawn afresh for every epoch,
  /// augmented; language: windows at random places. A pure function of (seed, number, size); `known` only saves work.
  Batch training_batch(std::uint64_t seed, std::uint64_t number, Index size, EpochOrder& known) const;
};

/// The task of a data set of the catalogue, a file or a folder. Where there is no validation part, one is held out of
/// the training part (DataSpec::validation).
/// Errors: data::MissingData; std::invalid_argument when the data do not suit the kind of model, or a part is
/// empty or shorter than a window; std::runtime_error of the readers.
Task load_task(const DataSpec& data, ModelSpec::Kind kind, Index context, const std::filesystem::path& data_dir);

/// Of an experiment. Errors: the same, but of the readers, with file and line of its [data].
Task load_task(const experiment::Experiment& experiment, const std::filesystem::path& data_dir);

}  // namespace attest::tasks
