// The feature map of Eq 12, written out monomial by monomial in ball arithmetic.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/rigor/ball_vector.hpp"

namespace attest::primal_dual {

/// All monomials a_l^(t) = prod_d (s x_d)^{n_d} / sqrt(n_d!) with n_1 + ... + n_D = t <= T, degree by degree: Eq 12 as
/// printed has s = D^(-1/4). An evaluation of its own, apart from svr::FeatureMap, from tables of powers and
/// factorials.
class Monomials {
 public:
  Monomials(std::size_t dimension, unsigned degree);

  std::size_t size() const { return exponents_.size(); }
  unsigned degree() const { return degree_; }
  rigor::BallVector operator()(std::span<const rigor::Ball> x, const rigor::Ball& scale) const;
  /// Degree t of the monomial number l.
  unsigned degree_of(std::size_t l) const;
  /// 1 / sqrt(n_1! ... n_D!) of the monomial number l.
  rigor::Ball inverse_root_of_factorials(std::size_t l) const;

 private:
  unsigned degree_;
  std::vector<std::vector<unsigned>> exponents_;
};

/// D^(-1/4), the coordinate scale of Eq 12.
rigor::Ball fourth_root_scale(std::size_t dimension);

/// [-r, r] with r >= |exp(u) - sum_{t <= degree} u^t / t!|: Lagrange's remainder |u|^(T+1) / (T+1)! exp(max(u, 0)).
rigor::Ball exponential_remainder(const rigor::Ball& u, unsigned degree);

}  // namespace attest::primal_dual
