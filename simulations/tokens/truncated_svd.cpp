#include "simulations/tokens/truncated_svd.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/core.h>

#include "kernels/spectra/symmetric_krylov.hpp"

namespace attest::tokens {
TruncatedSvd truncated_svd(const std::vector<Entry>& entries, std::size_t n, std::size_t dimensions) {
  if (dimensions == 0 || 2 * dimensions >= n) {
    throw std::invalid_argument(
        fmt::format("{} dimensions asked of a matrix of order {}; ask for fewer than half of it", dimensions, n));
  }
  const auto order = static_cast<Eigen::Index>(n), wanted = static_cast<Eigen::Index>(dimensions);
  const spectra::SymmetricProduct product = [&](const double* from, double* to) {
    std::fill(to, to + order, 0.0);
    for (const Entry& entry : entries) to[entry.row] += entry.value * from[entry.column];
  };
  // A Krylov space of three times the wanted dimension converges in few restarts.
  constexpr double tolerance = 1e-10;
  const spectra::KrylovPairs pairs =
      spectra::largest_symmetric_eigenpairs(product, order, wanted, std::min(order, 3 * wanted), tolerance);
  if (!pairs.converged) {
    throw std::runtime_error(
        fmt::format("the singular value decomposition did not converge; ask for fewer than {} dimensions", dimensions));
  }
  TruncatedSvd result;
  result.left = pairs.vectors;
  for (Eigen::Index k = 0; k < wanted; ++k) {
    result.singular_values.push_back(std::abs(pairs.values[k]));
    Eigen::Index largest = 0;
    result.left.col(k).cwiseAbs().maxCoeff(&largest);
    if (result.left(largest, k) < 0) result.left.col(k) *= -1;  // the sign of an eigenvector is arbitrary
  }
  return result;
}

}  // namespace attest::tokens
