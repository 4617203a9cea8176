// Linear attention with scaled heads and batch-normalised queries and keys.
#include "kernels/attention/mechanism/staged.hpp"

namespace attest::attention::definitions {

Mechanism linear_bn_sh() {
  return staged(
      {.name = "linear-bn-sh",
       .title = "batch-normalised linear attention with scaled heads",
       .formula =
           R"(\frac{\sum_j\phi(q_i)\cdot\phi(k_j)\,v_j}{\sum_j\phi(q_i)\cdot\phi(k_j)+\epsilon},\ \phi=\operatorname{elu}+1,\ q,k\to(x-\mu^s)\odot s^{-1})",
       .source = "Primal-Dual Section 2.3, Table 5 (Linear Attention-BN+SH), Eq 49, 51"},
      Family::linear, {.pools = true, .recentres = Stages::either});
}

}  // namespace attest::attention::definitions
