#include <Spectra/MatOp/DenseSymMatProd.h>
#include <Spectra/SymEigsSolver.h>

#include "kernels/spectra/extremal_spectrum.hpp"
#include "kernels/spectra/krylov.hpp"

namespace attest::spectra {

ExtremalEigenvalues largest_symmetric_eigenvalues(const Eigen::MatrixXd& s, int count) {
  krylov::check("largest_symmetric_eigenvalues", s, count, 1);
  Spectra::DenseSymMatProd<double> product(s);
  Spectra::SymEigsSolver<Spectra::DenseSymMatProd<double>> solver(product, count, krylov::dimension(s, count));
  return krylov::run(solver, count);
}

}  // namespace attest::spectra
