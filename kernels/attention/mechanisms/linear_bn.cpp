// Linear attention of batch-normalised queries and keys.
#include "kernels/attention/mechanism/staged.hpp"

namespace attest::attention::definitions {

Mechanism linear_bn() {
  return staged(
      {.name = "linear-bn",
       .title = "batch-normalised linear attention",
       .formula =
           R"(\frac{\sum_j\phi(q_i)\cdot\phi(k_j)\,v_j}{\sum_j\phi(q_i)\cdot\phi(k_j)+\epsilon},\ \phi=\operatorname{elu}+1,\ q,k\to(x-\mu)\odot s^{-1})",
       .source = "Primal-Dual Section 2.3 (Linear Attention-BN), Eq 22, 26"},
      Family::linear, {.recentres = Stages::either});
}

}  // namespace attest::attention::definitions
