// A mixture of experts with one expert a token.
#pragma once

#include <cstdint>

#include <ATen/ATen.h>

namespace attest::models {

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

/// Which tokens compete for an expert: each `group` of consecutive ones, of which it takes `room`, the first ones.
struct Room {
  std::int64_t group = 1, room = 1;
};

/// ceil(capacity tokens / experts): the room of an expert where tokens are shared out, with some to spare above 1.
std::int64_t expert_room(double capacity, std::int64_t tokens, std::int64_t experts);

/// Switch routing (Fedus, Zoph and Shazeer 2022, Section 2): with p = softmax(router x) each token goes to its expert
/// e = argmax p, the first of equal ones, and gets p_e narrow_e gelu(widen_e x); f_e is the share of tokens that chose
/// e, P_e the mean of p_e. Tokens for which their expert has no room are dropped: their output is 0, so that the
/// residual alone goes on. A token's output depends on itself and the earlier ones of its group, and on no other group.
/// Without their noise on x. Precondition: x [T][C], room.group divides T.
Routed switch_layer(const at::Tensor& x, const Experts& experts, const Room& room);

}  // namespace attest::models
