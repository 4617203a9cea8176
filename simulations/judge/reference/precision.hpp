// What an implementation may lose by rounding: the classes of accumulation.
#pragma once

#include <string>

#include "simulations/arrays/array.hpp"

namespace attest::judge {

/// How sums are formed. `widened`: the class of fused kernels and of frameworks on 16-bit arrays. Sums, and the softmax
/// within a row, are in float32 (float64 for float64), while arrays between the steps (logits, weights, their
/// gradients) may be rounded to the arrays' own type, to nearest. `strict`: nothing but inputs and outputs is rounded
/// to a 16-bit type. `input`: everything, sums too, may be in the arrays' type.
enum class Accumulation { widened, strict, input };

/// Errors: std::invalid_argument unless `text` is float32, strict or input.
Accumulation accumulation_named(const std::string& text);

/// Relative errors of one rounding, by where it happens.
struct Precision {
  double sums;         ///< of a product, a sum, an exponential
  double between;      ///< of an array between two steps
  double stored;       ///< of an output
  double tiny;         ///< absolute error of a product or an entry between two steps, which may be flushed to 0
  double tiny_stored;  ///< of an output
};

Precision precision_of(arrays::ElementType type, Accumulation accumulation);

}  // namespace attest::judge
