// Section 2.2.3, Eqs 17 and 18: multi-head attention as a linear combination of H regressions.
#include "theorems/primal_dual/several_heads.hpp"

namespace attest::primal_dual {

engine::Claims multi_head() {
  engine::Claim claim;
  claim.statement = {
      .id = "primal-dual/eq-17-18",
      .label = "Eq 17-18",
      .title = "The sum of H projected layers is multi-head attention",
      .kind = engine::Kind::identity,
      .tex =
          R"(\sum_s W_O^s\Big(W^s\frac{\Phi^s(x^s)}{h^s(x^s)} + b^s\Big) = \sum_s W_O^s\Big(\sum_j\frac{\Phi^s(x^s)^\top\Phi^s(k_j^s)}{h^s(x^s)}v_j^s + b^s\Big),\qquad \sum_s W_O^s\sum_j\mathrm{softmax}_j(x^{s\top}k_j^s/\sqrt D)\,v_j^s = \text{Eq 3 at } x^s = q_i^s)",
      .assumptions = {"W^s is made of the multipliers by Eq 8, head by head",
                      "b^s = 0 in the last member of Eq 18, as in Section 2.1",
                      "W_O is given: no regression determines it"},
      .expected = engine::Verdict::supported,
      .note =
          "First identity with features cut at degree 2, second with the exponential kernel; two heads, three keys.",
      .depends_on = {"primal-dual/eq-10", "primal-dual/eq-14", "primal-dual/eq-1-3"}};
  claim.check = one_regression_a_head({3, 3});
  claim.near_misses = {
      {"values one percent larger", 0.01, one_regression_a_head({3, 3}, {.value = 1.01})},
      {"blocks of W_O in the other order", 1, one_regression_a_head({3, 3}, {.blocks_swapped = true})}};
  return {claim};
}

}  // namespace attest::primal_dual
