// The precondition that all spectra share.
#pragma once

#include <stdexcept>
#include <string>

#include <Eigen/Core>

namespace attest::spectra {

/// Throws std::invalid_argument, naming `function`, unless `a` is square, not empty and finite.
inline void check_square_and_finite(const char* function, const Eigen::MatrixXd& a) {
  if (a.rows() == 0 || a.rows() != a.cols()) {
    throw std::invalid_argument(std::string(function) + ": the matrix is " + std::to_string(a.rows()) + " x " +
                                std::to_string(a.cols()) + "; a square one is needed");
  }
  if (!a.allFinite())
    throw std::invalid_argument(std::string(function) + ": the matrix has an entry that is not finite");
}

}  // namespace attest::spectra
