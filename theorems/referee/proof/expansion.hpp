// Inequalities whose sides touch at an end of a box, by Taylor's theorem: the first derivative that is not 0 there
// decides.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "theorems/language/program.hpp"

namespace attest::referee {

/// Whether `relation` (not an equality) certainly holds between entry k of its sides on the whole closed box, or, if it
/// is strict, on the box without an end that the set leaves out. With s the greater side less the smaller as a function
/// of one raw number t alone, and c_k its Taylor coefficients at an end e of the box: c_0, ..., c_(m-1) are 0, known
/// exactly, c_m > 0, and the m-th coefficient over the whole box is not negative, so that s = (the latter at some
/// place) (t - e)^m. At an upper end odd coefficients change their sign. False says nothing: sides that are not made of
/// smooth functions are not looked at. `box`: (lower, upper) of each raw number. Runs at the thread's working
/// precision.
bool holds_by_expansion(const language::Program& program, const language::Formula& relation, std::size_t k,
                        const std::vector<std::pair<double, double>>& box);

}  // namespace attest::referee
