// An expectation by samples: a confidence sequence.
#pragma once

#include <cstddef>
#include <span>

#include "theorems/engine/context.hpp"
#include "theorems/language/program.hpp"

namespace attest::referee {

/// An interval that holds with probability 1 - alpha/64, alpha the context's: certainly where a bound was `derived` (an
/// event, a bounded integrand, or a Lipschitz function of normal variables), about so for large samples otherwise.
struct Sampled {
  rigor::Ball interval;
  bool derived = true;
};

/// Expectation number `which` of a program at these raw numbers; NaN where a sample is not a number. `effort`
/// multiplies the samples, which come from streams that the search has not seen.
Sampled sampled(const language::Program& program, std::span<const double> raw, std::size_t which,
                const engine::Context& context, double effort);

/// A Lipschitz constant, in the Euclidean norm, of a register as a function of the standard normal variables behind the
/// program's random numbers at this point; infinity where none is known. All laws must be normal.
double lipschitz_in_normals(const language::Program& program, const language::Evaluator& at, std::size_t reg);

}  // namespace attest::referee
