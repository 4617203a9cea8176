#include "kernels/spectra/operator_norm.hpp"

#include <cmath>
#include <stdexcept>

#include "kernels/spectra/symmetric_spectrum.hpp"

namespace attest::spectra {

double operator_norm(const Eigen::MatrixXd& m) {
  if (m.size() == 0 || !m.allFinite()) throw std::invalid_argument("operator_norm: the matrix is empty or not finite");
  // Scaled by its largest entry, so that squares neither overflow nor vanish.
  const double scale = m.cwiseAbs().maxCoeff();
  if (scale == 0) return 0;
  const Eigen::MatrixXd scaled = m / scale;
  const Eigen::MatrixXd gram = m.rows() >= m.cols() ? Eigen::MatrixXd(scaled.transpose() * scaled)
                                                    : Eigen::MatrixXd(scaled * scaled.transpose());
  return scale * std::sqrt(symmetric_eigenvalues(gram).front());
}

}  // namespace attest::spectra
