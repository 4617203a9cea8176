#include "kernels/spectra/extremal_spectrum.hpp"

#include <Spectra/GenEigsSolver.h>

#include "kernels/spectra/krylov.hpp"
#include "kernels/spectra/row_product.hpp"

namespace attest::spectra {

ExtremalEigenvalues largest_eigenvalues(const Eigen::MatrixXd& a, int count, unsigned threads) {
  krylov::check("largest_eigenvalues", a, count, 2);
  RowProduct product(a, threads);
  Spectra::GenEigsSolver<RowProduct> solver(product, count, krylov::dimension(a, count));
  return krylov::run(solver, count);
}

}  // namespace attest::spectra
