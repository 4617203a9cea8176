// Table 3 and the plots, whose values the available text lacks; the comparisons of the other tables stand in
// table_comparisons.attest.
#include "theorems/engine/protocols/awaiting.hpp"

namespace attest::primal_dual {

engine::Claims table_comparisons() {
  engine::Claim missing;
  missing.statement = {
      .id = "primal-dual/table-3-and-plots",
      .label = "Table 3 / Figs 1-4 (plotted or missing values)",
      .title = "ImageNet accuracies of Table 3 and the ratios plotted in Figures 1 to 4",
      .kind = engine::Kind::figure,
      .tex = R"(\text{top-1 and top-5 accuracy of DeiT with Attention-BN, -SH, -BN+SH};\ \text{plotted ratios})",
      .assumptions = {"the available text has neither the table's numbers nor the plots"},
      .expected = engine::Verdict::undecided,
      .note = "What the plots must show follows from the architecture: see the closed form of the saved part."};
  missing.check = engine::awaits(
      "the numbers of Table 3 and of the plots, then paired training runs of DeiT on ImageNet from common seeds",
      "the values are missing in the available text, and accuracies take trained models");
  return {missing};
}

}  // namespace attest::primal_dual
