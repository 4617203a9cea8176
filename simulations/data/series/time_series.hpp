// Multivariate time series with classes or real targets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "simulations/data/files/labels.hpp"

namespace attest::data {

/// Series of `dimensions` values per step; series may differ in length, and values may be missing.
struct SeriesSet {
  std::string problem;  ///< its name in the file
  std::size_t dimensions = 0;
  std::vector<std::size_t> lengths;    ///< steps of each series
  std::vector<std::size_t> starts;     ///< where each series begins in `values` and `observed`
  std::vector<double> values;          ///< [step][dimension] of one series after the other; 0 where missing
  std::vector<std::uint8_t> observed;  ///< 1 where a value is given, 0 where it is missing
  std::vector<std::int32_t> labels;    ///< classification: one per series
  LabelVocabulary classes;             ///< classification: in the file's order
  std::vector<double> targets;         ///< regression: one per series

  std::size_t count() const { return lengths.size(); }
  bool is_regression() const { return classes.names.empty(); }
  std::size_t longest() const;
};

/// The examples of those indices, in that order. Errors: std::out_of_range.
SeriesSet select(const SeriesSet& series, std::span<const std::size_t> indices);

/// Mean and deviation of the observed values of each dimension, to normalise all splits by the training part's.
struct DimensionMoments {
  double mean = 0;
  double deviation = 0;
};
std::vector<DimensionMoments> dimension_moments(const SeriesSet& series);

}  // namespace attest::data
