// The attention library's mechanisms on the arrays of a statement: one sequence, one head.
#pragma once

#include <span>
#include <vector>

#include "theorems/language/program/instruction.hpp"

namespace attest::language {

/// The mechanism's output at these inputs, rows one after another; NaN where the library refuses the numbers.
void attend(const AttentionCall& call, const std::vector<std::span<const double>>& inputs, std::span<double> out);

/// Adds the gradients of sum(out * dout); an empty span of `back` is not wanted.
void attend_back(const AttentionCall& call, const std::vector<std::span<const double>>& inputs,
                 std::span<const double> dout, const std::vector<std::span<double>>& back);

}  // namespace attest::language
