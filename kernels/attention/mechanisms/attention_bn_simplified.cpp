// Batch-normalised attention, simplified: recentring alone.
#include "kernels/attention/mechanism/staged.hpp"

namespace attest::attention::definitions {

Mechanism attention_bn_simplified() {
  return staged({.name = "attention-bn-simplified",
                 .title = "attention recentred by the weighted mean of the keys",
                 .formula = R"(\operatorname{softmax}((q_i-\beta\mu)\cdot(k_j-\beta\mu)/\sqrt D)\,V)",
                 .source = "Primal-Dual Eq 26"},
                Family::softmax, {.recentres = Stages::simplified});
}

}  // namespace attest::attention::definitions
