// A small dense linear system in double precision, with what is needed to bound its error.
#pragma once

#include <vector>

namespace attest::primal_dual {

struct DenseSolution {
  std::vector<double> x;
  double inverse_norm = 0;  ///< |A^-1|_inf, the largest row sum of absolute values
  double largest = 0;       ///< max |x_i|
};

/// The solution of A x = b by LU with partial pivoting. `a` is n x n, row by row. A singular A gives entries that are
/// not finite. Precondition: a.size() = b.size()^2.
DenseSolution dense_solve(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace attest::primal_dual
