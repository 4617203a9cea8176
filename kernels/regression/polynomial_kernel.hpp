// Compact kernels that are one polynomial of |u|, with their self-convolution as piecewise polynomials.
#pragma once

#include <array>
#include <initializer_list>
#include <vector>

#include "kernels/regression/kernel.hpp"
#include "kernels/rigor/ball.hpp"

namespace attest::regression {

/// K(u) = (numerator/denominator) (c_0 + c_1 |u| + c_2 |u|^2 + ...) on [-1, 1], 0 outside.
///
/// K*K is computed once, in ball arithmetic of 512 bits, as coefficients on [0, 1] and [1, 2] about the centre of each.
class PolynomialKernel final : public Kernel {
 public:
  /// Integer coefficients {c_0, c_1, ...}. Errors: std::invalid_argument when the integral cannot be 1.
  PolynomialKernel(std::string_view name, std::initializer_list<int> coefficients, int numerator, int denominator);

  std::string_view name() const override { return name_; }
  double radius() const override { return 1.0; }
  double value(double u) const override;
  rigor::Ball value(const rigor::Ball& u) const override;
  double self_convolution(double u) const override;
  rigor::Ball self_convolution(const rigor::Ball& u) const override;
  double characteristic(double s) const override;
  rigor::Ball characteristic(const rigor::Ball& s) const override;
  rigor::Ball moment_generating(const rigor::Ball& c) const override;
  std::span<const double> knots(Form form) const override;

  /// int u^k (K*K)(u) du for even k >= 0, from the pieces of K*K, not from the moments of K.
  rigor::Ball self_convolution_moment(int k) const;

  /// R(2K - K*K) = int (2K - K*K)^2, from the pieces.
  rigor::Ball twicing_roughness_ball() const;

 protected:
  rigor::Ball even_moment(int k) const override;

 private:
  /// sum_k mu_2k sign^k s^2k/(2k)! with an enclosure of its tail.
  rigor::Ball transform(const rigor::Ball& s, int sign) const;

  std::string_view name_;
  std::vector<double> coefficients_;  // of K in |u|, without the normalising factor
  double scale_;
  std::vector<rigor::Ball> polynomial_;                          // of K in |u|
  std::array<std::vector<rigor::Ball>, 2> convolution_;          // on [0, 1] and [1, 2], in powers of 2(|u| - centre)
  std::array<std::vector<double>, 2> convolution_coefficients_;  // the same, rounded
};

/// The compact kernels of `all_kernels`, which are polynomials of |u| on [-1, 1].
std::span<const PolynomialKernel* const> polynomial_kernels();

}  // namespace attest::regression
