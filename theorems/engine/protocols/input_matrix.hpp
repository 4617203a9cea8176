// Matrices that a statement is evaluated at, out of its named inputs.
#pragma once

#include <cstddef>
#include <string>

#include "kernels/generic/small_matrix.hpp"
#include "theorems/engine/protocols/generic_check.hpp"

namespace attest::engine {

/// The vector `name` as a rows x cols matrix.
template <class Real>
generic::Matrix<Real> matrix(const Inputs& inputs, const std::string& name, std::size_t rows, std::size_t cols) {
  generic::Matrix<Real> result(rows, cols);
  const auto from = values(inputs, name, rows * cols);
  result.entries.assign(from.begin(), from.end());
  return result;
}

}  // namespace attest::engine
