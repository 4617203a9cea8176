// Cases on the activations of a trained model, for every mechanism.
#include "simulations/judge/case/case_list.hpp"

namespace attest::judge {

void add_activations(CaseList& list) {
  for (const ElementType type : list.request().types)
    for (const char* family : {"activations", "activations-times-5", "activations-times-1/1000"}) {
      CaseSpec s = list.base({2, 4, 4, 24, 24, 8, 8});
      s.settings = list.request().settings;
      s.type = type;
      s.family = family;
      list.add_both(s);
      if (!is_plain_attention(list.request().mechanism)) continue;
      s.causal = true;
      list.add_both(s);
      s = list.base({1, 4, 2, 9, 32, 8, 8});
      s.type = type;
      s.family = family;
      list.add_both(s);
    }
}

}  // namespace attest::judge
