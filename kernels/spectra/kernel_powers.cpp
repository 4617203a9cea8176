#include "kernels/spectra/kernel_powers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/spectra/attention_matrices.hpp"
#include "kernels/spectra/symmetric_krylov.hpp"

namespace attest::spectra {
namespace {

/// log mu for mu = lambda or 1 - (1 - lambda)^2.
double log_factor(double lambda, bool twiced) {
  const double gap = std::clamp(1 - lambda, 0.0, 1.0);
  return std::log1p(twiced ? -gap * gap : -gap);
}

}  // namespace

KernelPowers::KernelPowers(const Eigen::MatrixXd& w, const Eigen::MatrixXd& v, int count) {
  if (w.rows() != w.cols() || w.rows() < 3 || v.rows() != w.rows() || count < 1 || count > w.rows() - 2)
    throw std::invalid_argument(fmt::format(
        "KernelPowers: {} eigenvalues of a {} x {} matrix and {} rows of V; give a square one of at least 3, as many "
        "rows, and 1 to N - 2 eigenvalues",
        count, w.rows(), w.cols(), v.rows()));
  const Eigen::MatrixXd s = symmetric_conjugate(w);  // refuses row sums that are not positive
  const Eigen::VectorXd roots = w.rowwise().sum().cwiseSqrt();
  const Eigen::VectorXd consensus = roots.normalized();
  Eigen::MatrixXd u = roots.asDiagonal() * v;
  u -= consensus * (consensus.transpose() * u);
  const double energy = u.squaredNorm();

  // x -> S x - q q.x
  const SymmetricProduct deflated = [&](const double* from, double* to) {
    const Eigen::Map<const Eigen::VectorXd> x(from, s.rows());
    Eigen::Map<Eigen::VectorXd> y(to, s.rows());
    y.noalias() = s.selfadjointView<Eigen::Lower>() * x;
    y -= consensus.dot(x) * consensus;
  };
  const auto space = std::min<Eigen::Index>(w.rows(), std::max(2 * count + 1, 20));
  constexpr double tolerance = 1e-12;
  const KrylovPairs pairs = largest_symmetric_eigenpairs(deflated, w.rows(), count, space, tolerance);
  if (!pairs.converged)
    throw std::runtime_error(
        fmt::format("KernelPowers: the iteration did not find {} eigenvalues; ask for fewer", count));
  const Eigen::VectorXd& found = pairs.values;
  const Eigen::MatrixXd& vectors = pairs.vectors;
  double kept = 0;
  for (Eigen::Index i = 0; i < found.size(); ++i) {
    const Eigen::VectorXd image = s.selfadjointView<Eigen::Lower>() * vectors.col(i);
    error_ = std::max(error_, (image - found(i) * vectors.col(i)).norm());
    // Rounding leaves eigenvalues that are 0 or 1 a little outside.
    values_.push_back(std::clamp(found(i), 0.0, 1.0));
    energies_.push_back((vectors.col(i).transpose() * u).squaredNorm() / energy);
    kept += energies_.back();
  }
  error_ += static_cast<double>(w.rows()) * std::numeric_limits<double>::epsilon();
  rest_ = std::max(1 - kept, 0.0);
}

KernelPowers::Decay KernelPowers::decay(double n, bool twiced) const {
  double value = 0, low = 0, high = 0;
  // Everything relative to the largest factor, which may be far below the least number.
  const double top = log_factor(values_.front() + error_, twiced);
  const auto term = [&](double lambda) { return std::exp(2 * n * (log_factor(lambda, twiced) - top)); };
  for (std::size_t i = 0; i < values_.size(); ++i) {
    value += energies_[i] * term(values_[i]);
    low += energies_[i] * term(values_[i] - error_);
    high += energies_[i] * term(values_[i] + error_);
  }
  high += rest_ * term(values_.back() + error_);
  const auto decimal = [&](double square) { return (n * top + std::log(square) / 2) / std::log(10.0); };
  return {decimal(value), {decimal(low), decimal(high)}};
}

}  // namespace attest::spectra
