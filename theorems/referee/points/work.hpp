// What one evaluation of a program costs.
#pragma once

#include "theorems/language/program.hpp"

namespace attest::referee {

/// Rough number of operations for one evaluation of the program in doubles.
double work_of(const language::Program& program);

/// The same for one evaluation in balls, in units of one operation in doubles: spectra isolate every eigenvalue.
double ball_work_of(const language::Program& program);

}  // namespace attest::referee
