#include "simulations/tokens/truncated_svd.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Spectra/SymEigsSolver.h>
#include <fmt/core.h>

namespace attest::tokens {
namespace {

// The matrix as Spectra sees it: a product with a vector.
struct EntryProduct {
  using Scalar = double;
  const std::vector<Entry>& entries;
  Eigen::Index order;

  Eigen::Index rows() const { return order; }
  Eigen::Index cols() const { return order; }
  void perform_op(const double* x, double* y) const {
    std::fill(y, y + order, 0.0);
    for (const Entry& entry : entries) y[entry.row] += entry.value * x[entry.column];
  }
};

}  // namespace

TruncatedSvd truncated_svd(const std::vector<Entry>& entries, std::size_t n, std::size_t dimensions) {
  if (dimensions == 0 || 2 * dimensions >= n) {
    throw std::invalid_argument(
        fmt::format("{} dimensions asked of a matrix of order {}; ask for fewer than half of it", dimensions, n));
  }
  EntryProduct product{entries, static_cast<Eigen::Index>(n)};
  const auto wanted = static_cast<Eigen::Index>(dimensions);
  // A Krylov space of three times the wanted dimension converges in few restarts.
  Spectra::SymEigsSolver<EntryProduct> solver(product, wanted, std::min(product.order, 3 * wanted));
  solver.init();
  constexpr Eigen::Index restarts = 1000;
  constexpr double tolerance = 1e-10;
  solver.compute(Spectra::SortRule::LargestMagn, restarts, tolerance, Spectra::SortRule::LargestMagn);
  if (solver.info() != Spectra::CompInfo::Successful) {
    throw std::runtime_error(fmt::format(
        "the singular value decomposition did not converge in {} restarts; ask for fewer than {} dimensions", restarts,
        dimensions));
  }
  TruncatedSvd result;
  result.left = solver.eigenvectors();
  for (Eigen::Index k = 0; k < wanted; ++k) {
    result.singular_values.push_back(std::abs(solver.eigenvalues()[k]));
    Eigen::Index largest = 0;
    result.left.col(k).cwiseAbs().maxCoeff(&largest);
    if (result.left(largest, k) < 0) result.left.col(k) *= -1;  // the sign of an eigenvector is arbitrary
  }
  return result;
}

}  // namespace attest::tokens
