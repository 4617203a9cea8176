// The random raw numbers of a program.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "theorems/language/program.hpp"

namespace attest::referee {

/// One random raw number: where it stands, its law, the registers of the law's arguments.
struct RandomNumber {
  std::size_t coordinate;
  const language::RawInput* input;
};

/// All of them, in the order of their coordinates.
inline std::vector<RandomNumber> random_numbers(const language::Program& program) {
  std::vector<RandomNumber> numbers;
  for (const language::RawInput& input : program.inputs())
    if (input.random)
      for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k)
        numbers.push_back({input.offset + k, &input});
  return numbers;
}

/// Expectations that are not known while what they rest on is evaluated: NaN.
inline std::vector<rigor::Ball> not_known(std::size_t count) {
  // Not in braces: a count is a ball, too, and the two would be the list.
  return std::vector<rigor::Ball>(count, rigor::Ball(std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace attest::referee
