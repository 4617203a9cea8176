#include "theorems/twicing/capacity_integrals.hpp"

namespace attest::twicing {

using rigor::Ball;

Ball capacity_of_identity(const Ball& n) { return Ball(1) / (n + Ball(1)); }

Ball capacity_of_twicing(const Ball& n) {
  return rigor::exp(n * rigor::log(Ball(4)) + Ball(2) * rigor::lgamma(n + Ball(1)) -
                    rigor::lgamma(Ball(2) * n + Ball(2)));
}

Ball weighted_capacity_of_identity(const Ball& n, const Ball& s) {
  return rigor::exp(rigor::lgamma(n + Ball(1)) + rigor::lgamma(s + Ball(1)) - rigor::lgamma(n + s + Ball(2)));
}

Ball weighted_capacity_of_twicing(const Ball& n, const Ball& s) {
  // With u = 1 - x: int_0^1 (1 - u^2)^n u^s du = B((s + 1) / 2, n + 1) / 2.
  const Ball half = (s + Ball(1)) / Ball(2);
  return rigor::exp(rigor::lgamma(half) + rigor::lgamma(n + Ball(1)) - rigor::lgamma(half + n + Ball(1))) / Ball(2);
}

}  // namespace attest::twicing
