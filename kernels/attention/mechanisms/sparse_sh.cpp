// Sparse attention with scaled heads: a pooled key is seen where any of its tokens is.
#include "kernels/attention/mechanism/staged.hpp"

namespace attest::attention::definitions {

Mechanism sparse_sh() {
  return staged({.name = "sparse-sh",
                 .title = "sparse attention with scaled heads",
                 .formula = R"(\operatorname{softmax}_{j\in\mathcal M_i}(q_i\cdot k_j/\sqrt D)\,V,\ j=1,\dots,N_s)",
                 .source = "Primal-Dual Table 10 (Sparse Attention-SH), Eq 16, 25"},
                Family::sparse, {.pools = true});
}

}  // namespace attest::attention::definitions
