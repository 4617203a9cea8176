// A mean over one or two random numbers, enclosed: cells of the standard variables, halved where they know least.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "theorems/language/program.hpp"
#include "theorems/referee/expectations/random_numbers.hpp"

namespace attest::referee {

/// Expectation number `which` of a program at these raw numbers. Precondition: `has_standard` of every law.
class Cells {
 public:
  Cells(const language::Program& program, std::span<const double> raw, std::size_t which);
  /// Encloses it with at most `most` cells, fewer where the radii of the cells add up to no more than `enough` times
  /// the sum of their absolute values (1 where that is larger).
  rigor::Ball mean(std::int64_t most, double enough);

 private:
  struct Cell {
    std::vector<std::pair<double, double>> ends;
    rigor::Ball value;
    double error = 0;
  };

  void assess(Cell& cell);

  const language::Program& program_;
  std::vector<RandomNumber> numbers_;
  std::vector<rigor::Ball> point_;
  language::BallEvaluator balls_;
  const language::Expectation& expectation_;
  std::vector<rigor::Ball> unknown_;
  std::vector<std::vector<rigor::Ball>> arguments_;
  std::int64_t spent_ = 0;
  rigor::Ball settled_;
};

}  // namespace attest::referee
