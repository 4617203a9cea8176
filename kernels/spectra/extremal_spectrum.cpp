#include "kernels/spectra/extremal_spectrum.hpp"

#include <Spectra/GenEigsSolver.h>
#include <Spectra/MatOp/DenseGenMatProd.h>

#include "kernels/spectra/krylov.hpp"

namespace attest::spectra {

ExtremalEigenvalues largest_eigenvalues(const Eigen::MatrixXd& a, int count) {
  krylov::check("largest_eigenvalues", a, count, 2);
  Spectra::DenseGenMatProd<double> product(a);
  Spectra::GenEigsSolver<Spectra::DenseGenMatProd<double>> solver(product, count, krylov::dimension(a, count));
  return krylov::run(solver, count);
}

}  // namespace attest::spectra
