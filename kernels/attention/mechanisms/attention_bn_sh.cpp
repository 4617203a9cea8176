// Batch-normalised attention with scaled heads: statistics over the pooled keys.
#include "kernels/attention/mechanism/staged.hpp"

namespace attest::attention::definitions {

Mechanism attention_bn_sh() {
  return staged(
      {.name = "attention-bn-sh",
       .title = "batch-normalised attention with scaled heads",
       .formula = R"(\operatorname{softmax}(((q_i^s-\mu^s)\odot s^{-1})\cdot((k_j^s-\mu^s)\odot s^{-1})/\sqrt D)\,V^s)",
       .source = "Primal-Dual Definition 5, Eq 49, 50, 51"},
      Family::softmax, {.pools = true, .recentres = Stages::either});
}

}  // namespace attest::attention::definitions
