// Nystromformer with linear biases: the logits of ALiBi, averaged over segments as queries and keys are.
#include "kernels/attention/mechanisms/nystromformer.hpp"

namespace attest::attention::definitions {

Mechanism nystromformer_alibi() {
  return through_landmarks(
      {.name = "nystromformer-alibi",
       .title = "attention through landmarks, with linear biases (Nystromformer, ALiBi)",
       .formula =
           R"(\operatorname{softmax}(\tilde q\tilde K^\top+BM^\top)\,(\operatorname{softmax}(\tilde Q\tilde K^\top+MBM^\top))^+\operatorname{softmax}(\tilde Q K^\top+MB)\,V,\ B_{ij}=-m_h|i-j|)",
       .source =
           "Boosting Remark 3.4, Table 1 (Nystromformer + ALiBi), where the bias of a landmark is not written down: "
           "here it is the mean M over its segment, as its query and key are"},
      true);
}

}  // namespace attest::attention::definitions
