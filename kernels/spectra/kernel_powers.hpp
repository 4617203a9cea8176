// What any number of smoothing steps leaves of a signal, by the extreme eigenpairs of a large kernel matrix.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "kernels/statistics/interval.hpp"

namespace attest::spectra {

/// The powers of A = D^-1 W and of 2A - A^2, W symmetric positive semidefinite with positive row sums D, applied to V
/// and measured from consensus in the norm |u|_D^2 = sum_i D_i |u_i|^2, in which A is symmetric:
///
///   |B^n V - limit|_D^2 = sum_{i >= 2} mu_i^2n |c_i|^2,  mu = lambda or lambda (2 - lambda),
///
/// with the eigenpairs of D^-1/2 W D^-1/2 and the coefficients c_i of D^1/2 V. The `count` largest lambda_2 >= ... come
/// from Lanczos iterations (Spectra) on the matrix less its eigenvalue 1, whose eigenvector is known exactly; the
/// others enter as an enclosure, 0 <= lambda <= the last of them. So the work is O(N^2) per Lanczos step and O(count)
/// per power, for any n.
class KernelPowers {
 public:
  /// Errors: std::invalid_argument for W not square or smaller than 3 x 3, a row sum that is not positive, V of another
  /// number of rows, or count outside 1, ..., N - 2; std::runtime_error where the iteration does not converge.
  KernelPowers(const Eigen::MatrixXd& w, const Eigen::MatrixXd& v, int count);

  /// log10 of |B^n V - limit|_D / |V - limit|_D for n >= 0: a value from the eigenpairs alone, and what it can be with
  /// the eigenvalues off by their residuals and the rest of the spectrum anywhere. (Eigenvectors are off by residual
  /// over gap, 1e-10 for well separated eigenvalues, which is not enclosed.)
  struct Decay {
    double value;
    statistics::Interval interval;
  };
  Decay plain(double n) const { return decay(n, false); }
  Decay twiced(double n) const { return decay(n, true); }

  /// lambda_2, lambda_3, ..., largest first.
  const std::vector<double>& eigenvalues() const { return values_; }
  /// |S q - lambda q| of the worst pair, and rounding: how far an eigenvalue may be off.
  double eigenvalue_error() const { return error_; }

 private:
  Decay decay(double n, bool twiced) const;

  std::vector<double> values_, energies_;  // the latter over the energy of V - limit
  double rest_ = 0, error_ = 0;
};

}  // namespace attest::spectra
