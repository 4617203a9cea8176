// Section 4 and the right panel of Figure 1: two measured savings of memory, which take the programs measured; what
// counting says of them stands in figure_1_memory.attest.
#include "theorems/engine/protocols/awaiting.hpp"

namespace attest::primal_dual {

engine::Claims figure_1_memory() {
  engine::Claim testing;
  testing.statement = {
      .id = "primal-dual/fig-1-memory-testing",
      .label = "Fig 1 / Sec 4 (memory in testing -47.3%)",
      .title = "The memory of the programs measured falls as printed in testing",
      .kind = engine::Kind::cost_model,
      .tex = R"(1-\frac{\mathrm{memory(BN+SH)}}{\mathrm{memory(softmax)}} = 0.473\quad\text{at } N = 4096,\ D = 64)",
      .assumptions = {"a measurement of two programs, which a count of numbers kept can neither show nor refute"},
      .expected = engine::Verdict::undecided,
      .note =
          "Not explained by the smaller maps if both programs evaluate their heads alike "
          "(primal-dual/fig-1-memory-ceiling), and within reach of one that works through its heads in turn "
          "(primal-dual/fig-1-memory-testing-in-turn)."};
  testing.check = engine::awaits(
      "the authors' two programs, or others named, and their peak memory at the length and width of Figure 1",
      "a measured number takes the programs measured");

  engine::Claim training;
  training.statement = {
      .id = "primal-dual/fig-1-memory-training",
      .label = "Fig 1 / Sec 4 (memory in training -31.9%)",
      .title = "The memory of the programs measured falls as printed in training",
      .kind = engine::Kind::cost_model,
      .tex = R"(1-\frac{\mathrm{memory(BN+SH)}}{\mathrm{memory(softmax)}} = 0.319\quad\text{at } N = 4096,\ D = 64)",
      .assumptions = {"a measurement of two programs, which a count of numbers kept can neither show nor refute"},
      .expected = engine::Verdict::undecided,
      .note = "As for testing: not explained by the smaller maps alone."};
  training.check = engine::awaits(
      "the authors' two programs, or others named, and their peak memory at the length and width of Figure 1",
      "a measured number takes the programs measured");
  return {testing, training};
}

}  // namespace attest::primal_dual
