// The signal-to-noise hypothesis of residual connections on real tokens.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "simulations/measure/measurement.hpp"
#include "simulations/measure/plan.hpp"
#include "simulations/measure/untrained/sequences.hpp"

namespace attest::measure {

/// The quantities of "Revisiting Transformers with Insights from Image Filtering and Boosting", Prop 3.1, for
/// y = u + eta and y_hat = u_hat + eta_hat.
struct SnrTerms {
  double alpha = 0;  ///< |u_hat| / |u|
  double beta = 0;   ///< cos(u, u_hat); 0 when u_hat = 0
  double gamma = 0;  ///< |eta_hat| / |eta|
  double bound = 0;  ///< sqrt(1 + 2 alpha beta + alpha^2) / (1 + gamma), the right side of Eq 3.4
  double ratio = 0;  ///< sigma(y + y_hat) / sigma(y) with sigma = |signal| / |noise|; infinite when eta + eta_hat = 0

  /// (ratio - bound)/bound; below 0 by rounding at most, since the inequality holds by Cauchy and Schwarz.
  double slack() const { return ratio / bound - 1; }
  /// alpha, beta, gamma in [0, 1] and min(alpha, beta) > gamma.
  bool hypothesis_holds() const;
};

/// The terms for one vector or matrix (norms are Euclidean or Frobenius). Nothing when u or eta is 0: the
/// signal-to-noise ratio of y does not exist then. Precondition: all four have one shape.
std::optional<SnrTerms> snr_terms(const Eigen::MatrixXd& u, const Eigen::MatrixXd& eta, const Eigen::MatrixXd& u_hat,
                                  const Eigen::MatrixXd& eta_hat);

/// How the smoothed tokens A(y) y are parted into signal and noise; the paper does not say.
enum class SnrReading {
  same_weights,      ///< u_hat = A(y) u, eta_hat = A(y) eta
  limit_subtracted,  ///< the same after the limit of A(y)^n is taken from u and eta, the paper's "without loss of
                     ///< generality"
  clean_response,    ///< u_hat = A(u) u, eta_hat = A(y) y - A(u) u: what noise does to the weights counts as noise
};
inline constexpr SnrReading snr_readings[] = {SnrReading::same_weights, SnrReading::limit_subtracted,
                                              SnrReading::clean_response};
const char* name(SnrReading reading);

/// Signal and noise before and after one self-attention with W_Q = W_K = W_V = I on y = u + eta (N x d each).
struct SnrParts {
  Eigen::MatrixXd u, eta, u_hat, eta_hat;
};
SnrParts snr_parts(const Eigen::MatrixXd& clean, const Eigen::MatrixXd& noise, SnrReading reading);

/// How often the hypothesis of Prop 3.1 holds on sequences with added Gaussian noise, and what the ratio then does.
Measurement measure_snr(const Sequences& sequences, const Plan& plan);

}  // namespace attest::measure
