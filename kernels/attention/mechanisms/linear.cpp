// Linear attention: a kernel of feature maps instead of the softmax.
#include "kernels/attention/mechanism/staged.hpp"

namespace attest::attention::definitions {

Mechanism linear() {
  return staged(
      {.name = "linear",
       .title = "linear attention",
       .formula =
           R"(\frac{\sum_j\phi(q_i)\cdot\phi(k_j)\,v_j}{\sum_j\phi(q_i)\cdot\phi(k_j)+\epsilon},\ \phi=\operatorname{elu}+1)",
       .source = "Primal-Dual Section 2.2.1; Katharopoulos et al. 2020"},
      Family::linear, {});
}

}  // namespace attest::attention::definitions
