#include "theorems/twicing/capacity_integrals.hpp"

namespace attest::twicing {

using rigor::Ball;

Ball capacity_of_identity(const Ball& n) { return Ball(1) / (n + Ball(1)); }

Ball capacity_of_twicing(const Ball& n) {
  return rigor::exp(n * rigor::log(Ball(4)) + Ball(2) * rigor::lgamma(n + Ball(1)) -
                    rigor::lgamma(Ball(2) * n + Ball(2)));
}

Ball capacity_of_twicing_by_duplication(const Ball& n) {
  return rigor::sqrt(Ball::pi()) / Ball(2) * rigor::exp(rigor::lgamma(n + Ball(1)) - rigor::lgamma(n + Ball(1.5)));
}

Ball weighted_capacity_of_identity(const Ball& n, const Ball& s) {
  return rigor::exp(rigor::lgamma(n + Ball(1)) + rigor::lgamma(s + Ball(1)) - rigor::lgamma(n + s + Ball(2)));
}

Ball weighted_capacity_of_twicing(const Ball& n, const Ball& s) {
  // With u = 1 - x: int_0^1 (1 - u^2)^n u^s du = B((s + 1) / 2, n + 1) / 2.
  const Ball half = (s + Ball(1)) / Ball(2);
  return rigor::exp(rigor::lgamma(half) + rigor::lgamma(n + Ball(1)) - rigor::lgamma(half + n + Ball(1))) / Ball(2);
}

Ball factorial(std::int64_t n) {
  Ball product(1);
  for (std::int64_t k = 2; k <= n; ++k) product *= Ball(k);
  return product;
}

Ball scaled_capacity_by_expansion(std::int64_t n) {
  const rigor::PrecisionScope scope(expansion_bits);
  // sum_k C(n, k) 2^(n-k) (-1)^k / (n + k + 1).
  const Ball scale = factorial(2 * n + 1);
  Ball sum(0);
  for (std::int64_t k = 0; k <= n; ++k) {
    const Ball binomial = factorial(n) / (factorial(k) * factorial(n - k));
    const Ball term = binomial * rigor::pow(Ball(2), n - k) * (scale / Ball(n + k + 1));
    sum += k % 2 == 0 ? term : -term;
  }
  return sum;
}

}  // namespace attest::twicing
