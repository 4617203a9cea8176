// Sparse attention with scaled heads and batch-normalised queries and keys.
#include "kernels/attention/mechanism/staged.hpp"

namespace attest::attention::definitions {

Mechanism sparse_bn_sh() {
  return staged(
      {.name = "sparse-bn-sh",
       .title = "batch-normalised sparse attention with scaled heads",
       .formula = R"(\operatorname{softmax}_{j\in\mathcal M_i}(q_i\cdot k_j/\sqrt D)\,V,\ q,k\to(x-\mu^s)\odot s^{-1})",
       .source = "Primal-Dual Table 10 (Sparse Attention-BN+SH), Eq 16, 49, 51"},
      Family::sparse, {.pools = true, .recentres = Stages::either});
}

}  // namespace attest::attention::definitions
