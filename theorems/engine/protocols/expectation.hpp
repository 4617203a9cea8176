// Expectation bounds: Monte Carlo under a confidence sequence that is valid at every stopping time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/random/stream.hpp"
#include "theorems/engine/claim.hpp"

namespace attest::engine {

/// One configuration: the mean of a bounded statistic against a bound.
///
/// `statistic` draws one sample from the stream it is given and returns a value in [least, greatest]: a value outside,
/// or NaN, is an error. A quantity that is not bounded is bounded by the caller first (a clipped statistic has a mean
/// not above the mean, say), with the assumption stated in the statement.
struct ExpectationConfiguration {
  std::string name;
  Inputs inputs = {};  ///< parameters, stored in a witness
  std::function<double(random::Stream&)> statistic;
  double least = 0, greatest = 1;
  Relation relation = Relation::less_equal;  ///< mean relation bound
  double bound = 0;
  double resolution = 0.01;  ///< absolute: a mean beyond bound +- resolution must be caught
  double samples = 20000;    ///< at most, at the quick budget
};

/// The check of an expectation claim over its configurations: each gets an equal share of the error level, is sampled
/// until it is decided (refuted, or settled on the claimed side of bound + resolution) or its samples are spent.
Check expectation(std::vector<ExpectationConfiguration> configurations);

}  // namespace attest::engine
