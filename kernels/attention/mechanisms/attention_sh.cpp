// Attention with scaled heads: each head sees keys and values averaged by its own factor.
#include "kernels/attention/mechanism/staged.hpp"

namespace attest::attention::definitions {

Mechanism attention_sh() {
  return staged({.name = "attention-sh",
                 .title = "attention with scaled heads",
                 .formula = R"(\operatorname{softmax}(q_i^s\cdot k_j^s/\sqrt D)\,V^s,\ j=1,\dots,N_s)",
                 .source = "Primal-Dual Definition 2, Eq 25, Remark 5"},
                Family::softmax, {.pools = true});
}

}  // namespace attest::attention::definitions
