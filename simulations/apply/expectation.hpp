// The caller's own results beside ours.
#pragma once

#include <string>
#include <vector>

#include "simulations/apply/apply_mechanism.hpp"

namespace attest::apply {

/// One array of the caller's compared with ours.
struct Comparison {
  std::string name;
  ElementType type = ElementType::float64;  ///< of the caller's array
  std::int64_t entries = 0, outside = 0;    ///< how many there are, and how many lie outside their tolerance
  double largest_error = 0;                 ///< infinite for NaN or infinity in place of a number
  double tolerance = 0;                     ///< of the entry with the largest error (simulations/apply/tolerance.hpp)
  double largest_ratio = 0;                 ///< of an entry's error to its tolerance
  std::vector<std::int64_t> where = {};     ///< the entry with the largest error, in the caller's layout
};

/// Every array of `expected` against the mechanism's result of that name, evaluated in float64 at the inputs, which are
/// first rounded to plan.type. Errors: std::invalid_argument in one sentence naming the array when it has another
/// shape, holds no floating-point numbers, or is not a result of this mechanism; and as apply_mechanism.
std::vector<Comparison> compare_with(const NamedArrays& expected, const attention::Mechanism& mechanism,
                                     const NamedArrays& inputs, const ApplyPlan& plan);

}  // namespace attest::apply
