#include "theorems/primal_dual/monomials.hpp"

#include <numeric>

#include "kernels/svr/feature_map.hpp"

namespace attest::primal_dual {

using rigor::Ball;
using rigor::BallVector;

Monomials::Monomials(std::size_t dimension, unsigned degree) : degree_(degree) {
  for (unsigned t = 0; t <= degree; ++t) {
    for (auto& exponent : svr::exponents(dimension, t)) exponents_.push_back(std::move(exponent));
  }
}

BallVector Monomials::operator()(std::span<const Ball> x, const Ball& scale) const {
  // Table of (s x_d)^n / sqrt(n!).
  std::vector<BallVector> table(x.size());
  for (std::size_t d = 0; d < x.size(); ++d) {
    Ball factorial(1);
    for (unsigned n = 0; n <= degree_; ++n) {
      if (n > 0) factorial *= Ball(n);
      table[d].push_back(rigor::pow_integer(scale * x[d], n) / rigor::sqrt(factorial));
    }
  }
  BallVector features;
  features.reserve(exponents_.size());
  for (const auto& exponent : exponents_) {
    Ball feature(1);
    for (std::size_t d = 0; d < x.size(); ++d) feature *= table[d][exponent[d]];
    features.push_back(std::move(feature));
  }
  return features;
}

unsigned Monomials::degree_of(std::size_t l) const {
  return std::accumulate(exponents_[l].begin(), exponents_[l].end(), 0U);
}

Ball Monomials::inverse_root_of_factorials(std::size_t l) const {
  Ball product(1);
  for (const unsigned n : exponents_[l]) {
    for (unsigned k = 2; k <= n; ++k) product *= Ball(k);
  }
  return Ball(1) / rigor::sqrt(product);
}

Ball fourth_root_scale(std::size_t dimension) {
  return Ball(1) / rigor::sqrt(rigor::sqrt(Ball(static_cast<std::int64_t>(dimension))));
}

Ball exponential_remainder(const Ball& u, unsigned degree) {
  Ball bound = rigor::exp(rigor::max(u, Ball(0)));
  for (unsigned t = 1; t <= degree + 1; ++t) bound *= rigor::abs(u) / Ball(t);
  return Ball::hull(-bound, bound);
}

}  // namespace attest::primal_dual
