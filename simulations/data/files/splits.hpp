// Train, validation and test parts, and how a validation part is held out where the data set has none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attest::data {

/// The parts of a data set. The test part is for one evaluation at the end; choices are made on the validation part.
template <class Examples>
struct Splits {
  Examples train;
  Examples validation;
  Examples test;
};

/// Indices of the examples that are kept for training and of those held out, both in increasing order.
struct HeldOut {
  std::vector<std::size_t> train;
  std::vector<std::size_t> validation;
};

/// Holds out `fraction` of every class (rounded to the nearest, but never a class's only example), chosen at random by
/// the stream (seed, "data/hold-out"); the same for any number of threads.
/// Errors: std::invalid_argument unless 0 <= fraction < 1.
HeldOut hold_out(const std::vector<std::int32_t>& labels, double fraction, std::uint64_t seed);

/// The same where the examples have no class: all `count` of them are one.
HeldOut hold_out(std::size_t count, double fraction, std::uint64_t seed);

}  // namespace attest::data
