#include "kernels/spectra/symmetric_spectrum.hpp"

#include <iterator>
#include <stdexcept>

#include <Eigen/Eigenvalues>

#include "kernels/spectra/attention_matrices.hpp"
#include "kernels/spectra/square_matrix.hpp"

namespace attest::spectra {
std::vector<double> symmetric_eigenvalues(const Eigen::MatrixXd& s) {
  check_square_and_finite("symmetric_eigenvalues", s);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(s, Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) throw std::runtime_error("symmetric_eigenvalues: no convergence");
  const Eigen::VectorXd& increasing = solver.eigenvalues();
  return {std::make_reverse_iterator(increasing.end()), std::make_reverse_iterator(increasing.begin())};
}

SymmetricEigenpairs symmetric_eigenpairs(const Eigen::MatrixXd& s) {
  check_square_and_finite("symmetric_eigenpairs", s);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(s);
  if (solver.info() != Eigen::Success) throw std::runtime_error("symmetric_eigenpairs: no convergence");
  return {solver.eigenvalues().reverse(), solver.eigenvectors().rowwise().reverse()};
}

SymmetricEigenpairs increasing_symmetric_eigenpairs(const Eigen::MatrixXd& s) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(s);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

std::vector<double> normalised_kernel_eigenvalues(const Eigen::MatrixXd& w) {
  check_square_and_finite("normalised_kernel_eigenvalues", w);
  return symmetric_eigenvalues(symmetric_conjugate(w));
}

}  // namespace attest::spectra
