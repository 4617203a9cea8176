#include "kernels/spectra/matrix_polynomial.hpp"

#include <stdexcept>
#include <string>

namespace attest::spectra {
namespace {

void check(const char* function, const Eigen::MatrixXd& a, int n, const Eigen::MatrixXd& v) {
  if (n < 0 || a.rows() != a.cols() || a.cols() != v.rows()) {
    throw std::invalid_argument(std::string(function) + ": power " + std::to_string(n) + " of a " +
                                std::to_string(a.rows()) + " x " + std::to_string(a.cols()) + " matrix on " +
                                std::to_string(v.rows()) + " rows");
  }
}

}  // namespace

Eigen::MatrixXd apply_power(const Eigen::MatrixXd& a, int n, Eigen::MatrixXd v) {
  check("apply_power", a, n, v);
  for (int step = 0; step < n; ++step) v = a * v;
  return v;
}

Eigen::MatrixXd apply_twicing_power(const Eigen::MatrixXd& a, int n, Eigen::MatrixXd v) {
  check("apply_twicing_power", a, n, v);
  for (int step = 0; step < n; ++step) {
    const Eigen::MatrixXd smoothed = a * v;
    v = smoothed + a * (v - smoothed);
  }
  return v;
}

Eigen::MatrixXd twicing_matrix(const Eigen::MatrixXd& a) {
  check("twicing_matrix", a, 1, a);
  return 2 * a - a * a;
}

double distance_to_consensus(const Eigen::MatrixXd& v) { return (v.rowwise() - v.colwise().mean()).norm(); }

}  // namespace attest::spectra
