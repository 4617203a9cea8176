// Truncated monomial feature map of the exponential kernel exp(s^2 <x, y>).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace attest::svr {

/// Number of monomials of degree exactly `degree` in `dimension` variables: binom(dimension + degree - 1, degree).
/// Errors: std::invalid_argument for dimension 0; std::overflow_error when the count does not fit 64 bits.
std::uint64_t monomial_count(std::uint64_t dimension, std::uint64_t degree);

/// All exponents (n_1, ..., n_D) >= 0 with sum `degree`, in lexicographically decreasing order.
/// Errors: as monomial_count.
std::vector<std::vector<unsigned>> exponents(std::size_t dimension, unsigned degree);

/// Phi_T(x): all monomials prod_d (s x_d)^{n_d} / sqrt(n_d!) with |n| <= T, degree by degree.
///
/// <Phi_T(x), Phi_T(y)> = sum_{t <= T} (s^2 <x, y>)^t / t!, which tends to exp(s^2 <x, y>).
/// Source: A Primal-Dual Framework for Transformers, Eqs 12-13 and 28-29, where s = D^(-1/4); s = D^(-1/2) is what its
/// Eq 30 writes.
class FeatureMap {
 public:
  /// `dimension` D >= 1, truncation `degree` T >= 0, coordinate `scale` s, finite. Memory: binom(D + T, T) exponents.
  /// Errors: std::invalid_argument outside these ranges.
  FeatureMap(std::size_t dimension, unsigned degree, double scale);

  /// Number of features, binom(D + T, T).
  std::size_t size() const { return exponents_.size(); }
  /// Phi_T(x), length size(). Precondition: x has length D. Errors: std::invalid_argument otherwise.
  std::vector<double> operator()(std::span<const double> x) const;

 private:
  std::size_t dimension_;
  double scale_;
  std::vector<std::vector<unsigned>> exponents_;
};

/// sum_{t <= degree} u^t / t!, the kernel of the truncated map as a function of u = s^2 <x, y>.
double truncated_exponential(double u, unsigned degree);

/// Bound on |exp(u) - truncated_exponential(u, degree)|: |u|^(T+1) / (T+1)! * exp(max(u, 0)) (Lagrange's remainder),
/// without the rounding of its own evaluation (relative error below (T + 5) 2^-52).
double truncation_bound(double u, unsigned degree);

}  // namespace attest::svr
