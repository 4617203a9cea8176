// Token sequences drawn from a data set.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "simulations/data/catalogue/catalogue.hpp"

namespace attest::measure {

using data::Data;

/// A population of token sequences and the way to draw from it.
struct Sequences {
  std::string name;         ///< the data set
  std::string unit;         ///< "image" or "window"
  std::string description;  ///< what the tokens are
  std::size_t features = 0;
  std::vector<std::size_t> lengths;  ///< sequence lengths that can be drawn, increasing
  std::size_t usual_length = 0;      ///< the one that measurements at a single length use
  /// file_stem of the name.
  std::string stem() const;
  /// Sequence number `sample` of that length, length x features, mean square about 1 a coordinate over the population:
  /// a pure function of the seed, the sample and the length, uniform over the images or over the windows of the text.
  std::function<Eigen::MatrixXd(std::uint64_t sample, std::size_t length)> draw;
};

/// Limits of the sequences made of a text.
struct SequenceBudget {
  std::size_t vocabulary = 0;      ///< most words that get a vector
  std::size_t longest_window = 0;  ///< words
};

/// Sequences of a data set: patches of 4 x 4 pixels of images (length by the stride), or vectors of consecutive words.
/// Errors: std::invalid_argument when images are smaller than a patch, or the text has too few words.
Sequences make_sequences(Data data, const SequenceBudget& budget, std::uint64_t seed);

/// Word vectors' dimension and co-occurrence window, and the patch edge, for the record.
inline constexpr std::size_t word_features = 32;
inline constexpr std::size_t word_window = 4;
inline constexpr std::size_t patch_edge = 4;

}  // namespace attest::measure
