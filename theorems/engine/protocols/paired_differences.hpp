// Differences between paired training runs: their interval, and a witness of it evaluated again.
#pragma once

#include <span>
#include <string>

#include "theorems/engine/evidence.hpp"
#include "theorems/engine/witness.hpp"

namespace attest::engine {

/// The chance that verdicts made of trainings call any true statement refuted, all questions and files together. It
/// stands beside the suite's own bound: seeds are few, so that level would never be reached.
inline constexpr double training_false_alarm = 0.01;

/// The interval of the centre of the differences at error level `alpha`, for independent differences with laws
/// symmetric about it, whatever they are (kernels/statistics/signed_rank.hpp): valid at every look, without a finite
/// end for fewer than about log2(5/alpha) of them. Errors: std::invalid_argument for a difference that is not finite.
Interval interval_of_differences(std::span<const double> differences, double alpha);

/// Whether the interval lies on the wrong side of 0 for "difference relation 0".
bool excludes_zero(Relation relation, const Interval& interval);

/// "[0.1, 0.2]" with six digits.
std::string text(const Interval& interval);

/// Computes the interval of a witness that `judge_by_training` left again, from its differences alone; they are what
/// the file says, for no training is repeated. The file's error level counts only up to `training_false_alarm`.
/// Errors: std::invalid_argument when it holds no such differences.
Replay replay_differences(const Witness& witness);

}  // namespace attest::engine
