// A hub: one token e_0 and m others c e_0 + s e_j, orthogonal to each other but for their common part. By symmetry rows
// and steps are (alpha, beta) for the hub, alpha e_0 + beta sum_j e_j, and (gamma, delta, epsilon) for neighbour j,
// gamma e_0 + delta e_j + epsilon sum_(k != j) e_k.
#pragma once

#include "theorems/probdr/unrolled_block.hpp"

namespace attest::probdr {

template <class Real>
struct Hub {
  struct Rows {
    Real alpha, beta, gamma, delta, epsilon;
  };
  Real m;        ///< neighbours
  Real to_one;   ///< what the hub pays to each of them
  Real to_hub;   ///< what each pays to the hub
  Real to_next;  ///< and to each of the others
  Rows rows;     ///< X
  Rows step;     ///< (A~ - I) X

  Hub(const Real& c, const Real& kappa, double neighbours) : m(neighbours) {
    const Real s = sqrt(Real(1) - c * c);
    const Real w = exp(kappa * (c - Real(1)));
    const Real u = exp(kappa * (c * c - Real(1)));
    to_one = w / (Real(1) + m * w);
    const Real total = Real(1) + w + (m - Real(1)) * u;
    to_hub = w / total;
    to_next = u / total;
    rows = {Real(1), Real(0), c, s, Real(0)};
    step = {to_one * m * (c - Real(1)), to_one * s, to_hub * (Real(1) - c),
            Real(0) - to_hub * s - to_next * (m - Real(1)) * s, to_next * s};
  }

  /// tr(Y' L~ Z) = sum_ij A_ij y_i'(z_i - z_j).
  Real form(const Rows& y, const Rows& z) const {
    const Real others = m - Real(1);
    const Real hub_hub = y.alpha * z.alpha + m * y.beta * z.beta;
    const Real hub_one = y.alpha * z.gamma + y.beta * z.delta + others * y.beta * z.epsilon;
    const Real one_hub = y.gamma * z.alpha + y.delta * z.beta + others * y.epsilon * z.beta;
    const Real one_one = y.gamma * z.gamma + y.delta * z.delta + others * y.epsilon * z.epsilon;
    const Real one_next =
        y.gamma * z.gamma + y.delta * z.epsilon + y.epsilon * z.delta + (m - Real(2)) * y.epsilon * z.epsilon;
    return m * to_one * (hub_hub - hub_one) +
           m * (to_hub * (one_one - one_hub) + others * to_next * (one_one - one_next));
  }

  /// The derivative of tr(Y' L~ Y), Y = X + 2 eta (A~ - I) X, with respect to 2 eta at 0.
  Real slope() const { return form(rows, step) + form(step, rows); }
};

}  // namespace attest::probdr
