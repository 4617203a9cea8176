#include "kernels/spectra/dense_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <Eigen/Eigenvalues>

#include "kernels/spectra/square_matrix.hpp"

namespace attest::spectra {
namespace {

/// Positions of `values` by decreasing modulus, then real part, then imaginary part.
std::vector<Eigen::Index> order_by_modulus(const Eigen::VectorXcd& values) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::sort(order.begin(), order.end(), [&](Eigen::Index i, Eigen::Index j) {
    const double modulus_i = std::abs(values[i]);
    const double modulus_j = std::abs(values[j]);
    if (modulus_i != modulus_j) return modulus_i > modulus_j;
    if (values[i].real() != values[j].real()) return values[i].real() > values[j].real();
    return values[i].imag() > values[j].imag();
  });
  return order;
}

}  // namespace

std::vector<std::complex<double>> eigenvalues(const Eigen::MatrixXd& a) {
  check_square_and_finite("eigenvalues", a);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(a, /*computeEigenvectors=*/false);
  if (solver.info() != Eigen::Success) throw std::runtime_error("eigenvalues: the QR algorithm did not converge");
  const Eigen::VectorXcd& values = solver.eigenvalues();
  std::vector<std::complex<double>> sorted;
  for (const Eigen::Index i : order_by_modulus(values)) sorted.push_back(values[i]);
  return sorted;
}

Eigenpairs eigenpairs(const Eigen::MatrixXd& a) {
  check_square_and_finite("eigenpairs", a);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(a);
  if (solver.info() != Eigen::Success) throw std::runtime_error("eigenpairs: the QR algorithm did not converge");
  const Eigen::VectorXcd& values = solver.eigenvalues();
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  Eigenpairs result{.values = values, .vectors = vectors};
  Eigen::Index column = 0;
  for (const Eigen::Index i : order_by_modulus(values)) {
    result.values[column] = values[i];
    result.vectors.col(column) = vectors.col(i);
    ++column;
  }
  return result;
}

}  // namespace attest::spectra
