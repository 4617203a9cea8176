// Matrices that a statement is evaluated at, out of its named inputs.
#pragma once

#include <cstddef>
#include <string>

#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/probdr/small_matrix.hpp"

namespace attest::probdr {

/// The vector `name` as a rows x cols matrix.
template <class Real>
Matrix<Real> matrix(const engine::Inputs& inputs, const std::string& name, std::size_t rows, std::size_t cols) {
  Matrix<Real> result(rows, cols);
  const auto from = engine::values(inputs, name, rows * cols);
  result.entries.assign(from.begin(), from.end());
  return result;
}

}  // namespace attest::probdr
