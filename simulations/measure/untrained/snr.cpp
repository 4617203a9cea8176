#include "simulations/measure/untrained/snr.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/spectra/attention_matrices.hpp"

namespace attest::measure {
namespace {

Eigen::MatrixXd attention(const Eigen::MatrixXd& tokens) {
  return spectra::softmax_attention(tokens, tokens, std::sqrt(static_cast<double>(tokens.cols())));
}

// The left eigenvector pi of A = D^-1 W to eigenvalue 1, for the symmetric kernel W_ij = exp(x_i . x_j / sqrt d):
// pi_i is proportional to D_ii, and A^n y tends to 1 pi^T y.
Eigen::RowVectorXd stationary_distribution(const Eigen::MatrixXd& tokens) {
  const Eigen::MatrixXd w = spectra::exponential_kernel(tokens, std::sqrt(static_cast<double>(tokens.cols())));
  const Eigen::RowVectorXd sums = w.rowwise().sum().transpose();
  return sums / sums.sum();
}

Eigen::MatrixXd without(const Eigen::MatrixXd& tokens, const Eigen::RowVectorXd& limit) {
  return tokens.rowwise() - limit;
}

}  // namespace

bool SnrTerms::hypothesis_holds() const {
  return alpha <= 1 && beta >= 0 && gamma <= 1 && std::min(alpha, beta) > gamma;
}

std::optional<SnrTerms> snr_terms(const Eigen::MatrixXd& u, const Eigen::MatrixXd& eta, const Eigen::MatrixXd& u_hat,
                                  const Eigen::MatrixXd& eta_hat) {
  const double signal = u.norm();
  const double noise = eta.norm();
  if (signal == 0 || noise == 0) return std::nullopt;
  SnrTerms terms;
  const double smoothed = u_hat.norm();
  terms.alpha = smoothed / signal;
  terms.gamma = eta_hat.norm() / noise;
  // Rounding can lift the cosine of parallel vectors above 1.
  if (smoothed > 0) terms.beta = std::clamp(u.cwiseProduct(u_hat).sum() / (signal * smoothed), -1.0, 1.0);
  terms.bound = std::sqrt(1 + 2 * terms.alpha * terms.beta + terms.alpha * terms.alpha) / (1 + terms.gamma);
  terms.ratio = ((u + u_hat).norm() / signal) / ((eta + eta_hat).norm() / noise);
  return terms;
}

const char* name(SnrReading reading) {
  switch (reading) {
    case SnrReading::same_weights:
      return "same weights";
    case SnrReading::limit_subtracted:
      return "limit subtracted";
    case SnrReading::clean_response:
      return "clean response";
  }
  return "";
}

SnrParts snr_parts(const Eigen::MatrixXd& clean, const Eigen::MatrixXd& noise, SnrReading reading) {
  const Eigen::MatrixXd noisy = clean + noise;
  const Eigen::MatrixXd a = attention(noisy);
  if (reading == SnrReading::clean_response) {
    Eigen::MatrixXd response = attention(clean) * clean;
    Eigen::MatrixXd rest = a * noisy - response;
    return {clean, noise, std::move(response), std::move(rest)};
  }
  Eigen::MatrixXd u = clean;
  Eigen::MatrixXd eta = noise;
  if (reading == SnrReading::limit_subtracted) {
    const Eigen::RowVectorXd weights = stationary_distribution(noisy);
    u = without(clean, weights * clean);
    eta = without(noise, weights * noise);
  }
  Eigen::MatrixXd u_hat = a * u;
  Eigen::MatrixXd eta_hat = a * eta;
  return {std::move(u), std::move(eta), std::move(u_hat), std::move(eta_hat)};
}

}  // namespace attest::measure
