// One denoising step and its residual connection: the signal and noise before and after a self-attention block.
#pragma once

#include <span>
#include <vector>

#include "kernels/rigor/ball_vector.hpp"
#include "theorems/engine/protocols/sides.hpp"

namespace attest::boosting {

/// The quantities of Proposition 3.1 of "Revisiting Transformers with Insights from Image Filtering and Boosting" for
/// y = u + eta (input) and y_hat = u_hat + eta_hat (output), in double precision.
struct StepNumbers {
  double alpha = 0;          ///< |u_hat| / |u|
  double gamma = 0;          ///< |eta_hat| / |eta|
  double signal_cosine = 0;  ///< cos(u, u_hat); 1 where u_hat = 0
  double noise_cosine = 0;   ///< cos(eta, eta_hat); 1 where eta_hat = 0

  /// sigma(y + y_hat) / sigma(y) = sqrt((1 + 2 alpha c + alpha^2) / (1 + 2 gamma rho + gamma^2)).
  double residual_gain() const;
  /// cos(u, u_hat) >= beta by at least `edge`.
  bool cosine_at_least(double beta) const { return signal_cosine - beta >= edge; }
  /// The hypothesis of Proposition 3.1, by at least `edge`: alpha, gamma in [0, 1], min(alpha, beta) > gamma, cos >=
  /// beta.
  bool hypothesis(double beta) const;

  /// How far inside the edges of an assumption a search stays, so that ball arithmetic can be certain of the assumption
  /// at the points that double precision calls admissible: far above the rounding of a cosine in R^8.
  static constexpr double edge = 0x1p-46;
};

/// From inputs u, u_hat, eta, eta_hat. NaN where u or eta is 0.
StepNumbers step_numbers(const engine::Inputs& inputs);

/// The same in ball arithmetic, from the vectors themselves.
struct StepBalls {
  rigor::BallVector u, u_hat, eta, eta_hat;

  explicit StepBalls(const engine::Inputs& inputs);
  /// u and eta are certainly not 0.
  bool is_proper() const;
  rigor::Ball alpha() const;
  rigor::Ball gamma() const;
  /// u . u_hat / (|u| |u_hat|); not finite where u_hat = 0.
  rigor::Ball signal_cosine() const;
  rigor::Ball noise_cosine() const;
  /// sigma(y) = |u| / |eta|, sigma(y_hat), sigma(y + y_hat) (Definition 3.1).
  rigor::Ball input_snr() const;
  rigor::Ball output_snr() const;
  rigor::Ball residual_snr() const;
  /// cos(u, u_hat) >= beta, certainly; in the form u . u_hat >= beta |u| |u_hat|.
  bool cosine_at_least(const rigor::Ball& beta) const;
  /// The hypothesis of Proposition 3.1, certainly: alpha, gamma in [0, 1], min(alpha, beta) > gamma, cos >= beta.
  bool hypothesis(const rigor::Ball& beta) const;
};

/// How a search point gives beta: as a number of its own, or as the largest that cos(u, u_hat) >= beta allows.
enum class Beta { free, tight };

/// The search box of a step in R^d: u, eta in [-2, 2]^d, u_hat, eta_hat in [-1, 1]^d, and beta (or the factor that
/// takes cos(u, u_hat) to beta) in [0, 1]; 4 d + 1 coordinates.
struct StepBox {
  std::vector<double> lower, upper;
  engine::Decode decode;                     ///< to inputs u, u_hat, eta, eta_hat, beta
  std::vector<std::vector<double>> corners;  ///< aligned and half-aligned steps
};
StepBox step_box(int dimension, Beta beta);

/// Euclidean norm and inner product of doubles.
double norm(std::span<const double> x);
double dot(std::span<const double> x, std::span<const double> y);

}  // namespace attest::boosting
