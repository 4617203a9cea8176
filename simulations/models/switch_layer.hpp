// A mixture of experts with one expert a token.
#pragma once

#include <cstdint>

#include <ATen/ATen.h>

namespace attest::training {

/// Parameters of E experts of F hidden channels on C channels.
struct Experts {
  const at::Tensor& router;                ///< [E][C]
  const at::Tensor &widen, &widen_bias;    ///< [E][F][C], [E][F]
  const at::Tensor &narrow, &narrow_bias;  ///< [E][C][F], [E][C]
};

struct Routed {
  at::Tensor output;   ///< [T][C]
  at::Tensor balance;  ///< E sum_e f_e P_e, with gradient by P; 1 where all experts get as much
  std::int64_t dropped = 0;
};

/// Switch routing (Fedus, Zoph and Shazeer 2022, Section 2): with p = softmax(router x) each token goes to its expert
/// e = argmax p, the first of equal ones, and gets p_e narrow_e gelu(widen_e x); f_e is the share of tokens that chose
/// e, P_e the mean of p_e. An expert takes ceil(capacity T / E) tokens, the first ones; the others are dropped: their
/// output is 0, so that the residual alone goes on. Without their noise on x. Precondition: x [T][C], capacity > 0.
Routed switch_layer(const at::Tensor& x, const Experts& experts, double capacity);

}  // namespace attest::training
