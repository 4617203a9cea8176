// A mean over one or two random numbers, enclosed: cells of the standard variables, halved where they know least. In
// one number a smooth integrand is expanded by Taylor's theorem in each cell.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "theorems/language/program.hpp"
#include "theorems/referee/expectations/random_numbers.hpp"
#include "theorems/referee/proof/power_series.hpp"

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
    bool expanded = false;
  };

  void assess(Cell& cell);
  /// Narrows the cell's value by Taylor expansions of every order, where that helps. Precondition: `smooth_`.
  void expand(Cell& cell);
  /// The integrand about z, or its coefficients over all z in a ball.
  std::optional<BallSeries> taylor_coefficients(const rigor::Ball& z) const;

  const language::Program& program_;
  std::vector<RandomNumber> numbers_;
  std::vector<rigor::Ball> point_;
  language::BallEvaluator balls_;
  const language::Expectation& expectation_;
  std::vector<rigor::Ball> unknown_;
  std::vector<std::vector<rigor::Ball>> arguments_;
  bool smooth_ = false;  ///< the integrand is made of functions that are expanded here
  std::int64_t spent_ = 0;
  rigor::Ball settled_;
};

}  // namespace attest::referee
