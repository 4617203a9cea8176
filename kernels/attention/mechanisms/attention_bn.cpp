// Batch-normalised attention: queries and keys normalised by the statistics of the keys.
#include "kernels/attention/mechanism/staged.hpp"

namespace attest::attention::definitions {

Mechanism attention_bn() {
  return staged({.name = "attention-bn",
                 .title = "batch-normalised attention",
                 .formula = R"(\operatorname{softmax}(((q_i-\mu)\odot s^{-1})\cdot((k_j-\mu)\odot s^{-1})/\sqrt D)\,V)",
                 .source = "Primal-Dual Definition 1, Eq 22, 23"},
                Family::softmax, {.recentres = Stages::full});
}

}  // namespace attest::attention::definitions
