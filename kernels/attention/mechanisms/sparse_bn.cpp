// Sparse attention of batch-normalised queries and keys.
#include "kernels/attention/mechanism/staged.hpp"

namespace attest::attention::definitions {

Mechanism sparse_bn() {
  return staged(
      {.name = "sparse-bn",
       .title = "batch-normalised sparse attention",
       .formula = R"(\operatorname{softmax}_{j\in\mathcal M_i}(q_i\cdot k_j/\sqrt D)\,V,\ q,k\to(x-\mu)\odot s^{-1})",
       .source = "Primal-Dual Table 10 (Sparse Attention-BN), Eq 16, 22, 26"},
      Family::sparse, {.recentres = Stages::either});
}

}  // namespace attest::attention::definitions
