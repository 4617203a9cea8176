#include "kernels/spectra/eigendecomposition.hpp"

#include <Eigen/LU>

#include "kernels/spectra/dense_spectrum.hpp"

namespace attest::spectra {

Eigendecomposition eigendecomposition(const Eigen::MatrixXd& a) {
  const Eigenpairs pairs = eigenpairs(a);
  Eigendecomposition result{.values = pairs.values, .right = pairs.vectors, .left = {}, .condition = 0};
  result.left = Eigen::PartialPivLU<Eigen::MatrixXcd>(result.right).inverse();
  result.condition = result.right.norm() * result.left.norm();
  return result;
}

}  // namespace attest::spectra
