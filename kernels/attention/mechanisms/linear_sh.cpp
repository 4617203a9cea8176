// Linear attention with scaled heads.
#include "kernels/attention/mechanism/staged.hpp"

namespace attest::attention::definitions {

Mechanism linear_sh() {
  return staged(
      {.name = "linear-sh",
       .title = "linear attention with scaled heads",
       .formula =
           R"(\frac{\sum_j\phi(q_i)\cdot\phi(k_j)\,v_j}{\sum_j\phi(q_i)\cdot\phi(k_j)+\epsilon},\ \phi=\operatorname{elu}+1,\ j=1,\dots,N_s)",
       .source = "Primal-Dual Section 2.3 (Linear Attention-SH), Eq 25"},
      Family::linear, {.pools = true});
}

}  // namespace attest::attention::definitions
