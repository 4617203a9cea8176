// E[...] and P[...] of a program: exactly over finitely many cases, by rigorous quadrature in one and two dimensions or
// over the law of a sum, an extreme or a norm, by moments where they are of polynomials, by confidence sequences
// otherwise.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/referee/expectations/moments.hpp"
#include "theorems/referee/expectations/statistic.hpp"
#include "theorems/referee/proof/confirm.hpp"
#include "theorems/referee/search/landscape.hpp"

namespace attest::referee {

enum class Means : std::uint8_t {
  none,        ///< no expectations
  atoms,       ///< all laws have two values, at most 4096 cases: sums in doubles and in balls
  moments,     ///< polynomials in the random numbers: the moments of their laws
  quadrature,  ///< one or two random numbers: trapezoids in doubles; cells in balls where the laws allow it
  samples      ///< a fixed sample while searching, the law of a statistic or a confidence sequence to decide
};

class Expectations {
 public:
  /// Errors: language::Problem where a law's arguments are not numbers.
  Expectations(const language::Program& program, engine::Context context);

  Means means() const { return means_; }
  /// Doubles for the search; one function a thread. Empty for programs without expectations.
  ExpectedValues values() const;
  /// Enclosures that hold certainly (atoms, quadrature by cells), or with probability 1 - alpha (samples, from a stream
  /// that the search has not seen). Everything where cells of one random number do not enclose the integrand and its
  /// samples have no known spread, as of 1/u, whose mean is infinite. `effort` multiplies cells and samples; a point
  /// that was enclosed before is not again.
  EnclosedExpectations enclosures(double effort) const;
  /// The enclosures are intervals of numbers, not of samples.
  bool certain() const {
    return means_ == Means::atoms || means_ == Means::moments ||
           (!fell_back_ && ((means_ == Means::quadrature && cells_) || by_statistic_));
  }
  /// Those at this point are, if it was enclosed; else as `certain`.
  bool certain_at(std::span<const double> raw) const;
  /// The samples' intervals rest on a bound that was derived (bounded or Lipschitz in normal variables), not on large
  /// samples being normal.
  bool derived() const { return derived_; }
  /// One sentence on how the expectations were found.
  std::string how() const;
  /// The relative rounding and discretisation error of `values()` to be expected.
  double resolution() const;

 private:
  /// Nothing where that way does not lead to an enclosure that says enough.
  std::optional<rigor::Ball> by_cells(std::span<const double> raw, std::size_t e, double effort) const;
  std::optional<rigor::Ball> by_statistic(std::span<const double> raw, std::size_t e, double effort) const;

  const language::Program& program_;
  engine::Context context_;
  Means means_ = Means::none;
  std::shared_ptr<const Moments> moments_ = {};
  std::vector<std::vector<Statistic>> statistics_ = {};  ///< of each expectation, where there are several numbers
  bool cells_ = false;
  bool one_number_ = false;
  struct Enclosed {
    std::vector<rigor::Ball> values;
    bool certain = true;
  };
  mutable std::map<std::vector<double>, Enclosed> known_;  ///< points that were enclosed before
  mutable bool by_statistic_ = false;                      ///< the law of a statistic gave a number
  mutable bool fell_back_ = false;                         ///< balls knew too little somewhere, and samples stood in
  mutable bool derived_ = true;
};

}  // namespace attest::referee
