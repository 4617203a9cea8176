// Sparse attention over a pattern of pairs.
#include "kernels/attention/mechanism/staged.hpp"

namespace attest::attention::definitions {

Mechanism sparse() {
  return staged({.name = "sparse",
                 .title = "sparse attention (strided, fixed, or any mask)",
                 .formula = R"(\operatorname{softmax}_{j\in\mathcal M_i}(q_i\cdot k_j/\sqrt D)\,V)",
                 .source = "Primal-Dual Eq 16; Child et al. 2019"},
                Family::sparse, {});
}

}  // namespace attest::attention::definitions
