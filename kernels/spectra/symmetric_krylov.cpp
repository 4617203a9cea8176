#include "kernels/spectra/symmetric_krylov.hpp"

#include <Spectra/SymEigsSolver.h>

namespace attest::spectra {
namespace {

constexpr Eigen::Index most_restarts = 1000;

/// The product as Spectra calls it: one type for every operator, so that its solver is compiled once.
struct KrylovOperator {
  using Scalar = double;
  const SymmetricProduct& product;
  Eigen::Index order;

  Eigen::Index rows() const { return order; }
  Eigen::Index cols() const { return order; }
  void perform_op(const double* from, double* to) const { product(from, to); }
};

}  // namespace

KrylovPairs largest_symmetric_eigenpairs(const SymmetricProduct& product, Eigen::Index order, Eigen::Index count,
                                         Eigen::Index space, double tolerance) {
  KrylovOperator krylov_operator{product, order};
  Spectra::SymEigsSolver<KrylovOperator> solver(krylov_operator, count, space);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, most_restarts, tolerance, Spectra::SortRule::LargestMagn);
  return {.values = solver.eigenvalues(),
          .vectors = solver.eigenvectors(),
          .converged = solver.info() == Spectra::CompInfo::Successful};
}

}  // namespace attest::spectra
