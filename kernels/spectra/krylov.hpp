// What the symmetric and the general Krylov solvers share.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include <Spectra/Util/CompInfo.h>
#include <Spectra/Util/SelectionRule.h>

#include "kernels/spectra/extremal_spectrum.hpp"

namespace attest::spectra::krylov {

inline constexpr int most_restarts = 1000;
inline constexpr double tolerance = 1e-10;

/// Throws std::invalid_argument unless `a` is square and 1 <= count <= N - spare.
inline void check(const char* function, const Eigen::MatrixXd& a, int count, int spare) {
  if (a.rows() != a.cols() || count < 1 || count > a.rows() - spare) {
    throw std::invalid_argument(std::string(function) + ": " + std::to_string(count) + " eigenvalues of a " +
                                std::to_string(a.rows()) + " x " + std::to_string(a.cols()) +
                                " matrix; ask for 1 to N - " + std::to_string(spare) + " of a square one");
  }
}

/// Dimension of the Krylov space: twice the count and some more, as far as the matrix allows.
inline int dimension(const Eigen::MatrixXd& a, int count) {
  return static_cast<int>(std::min<Eigen::Index>(a.rows(), std::max(2 * count + 1, 20)));
}

/// Runs a solver of Spectra for the eigenvalues of largest modulus.
template <class Solver>
ExtremalEigenvalues run(Solver& solver, int count) {
  solver.init();
  const auto found = solver.compute(Spectra::SortRule::LargestMagn, most_restarts, tolerance);
  ExtremalEigenvalues result{.values = {},
                             .converged = solver.info() == Spectra::CompInfo::Successful && found >= count};
  for (const auto& value : solver.eigenvalues()) result.values.emplace_back(value);
  std::stable_sort(result.values.begin(), result.values.end(),
                   [](const auto& x, const auto& y) { return std::abs(x) > std::abs(y); });
  return result;
}

}  // namespace attest::spectra::krylov
