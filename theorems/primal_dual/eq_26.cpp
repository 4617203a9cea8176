// Section 3 and Appendix A: whether recentring alone keeps the gain in accuracy takes trained models; what arithmetic
// says of Eq 26 stands in eq_26.attest.
#include "theorems/engine/protocols/awaiting.hpp"

namespace attest::primal_dual {

engine::Claims eq_26() {
  engine::Claim recentring;
  recentring.statement = {
      .id = "primal-dual/recentring",
      .label = "Sec 3 / App A / App I (\"recentering queries and keys alone is sufficient\")",
      .title = "Recentring queries and keys, without dividing by s, keeps the gain in accuracy",
      .kind = engine::Kind::figure,
      .tex = R"(\mathrm{softmax}_j\big((q-\beta\mu)^\top(k_j-\beta\mu)/\sqrt D\big)\ \text{ is as accurate as Eq 22})",
      .assumptions =
          {"accuracy of trained models, as Tables 1, 2 and 9 report it for Eq 26; of Eq 22 no table reports any"},
      .expected = engine::Verdict::undecided,
      .note =
          "What arithmetic reaches: recentring the keys changes nothing (primal-dual/recentring-queries-alone), so "
          "'recentring queries alone' is the same mechanism. Whether it suffices is a matter of training runs."};
  recentring.check =
      engine::awaits("paired training runs of softmax attention, of Eq 22 and of Eq 26 from common seeds",
                     "whether it is sufficient for accuracy takes trained models");
  return {recentring};
}

}  // namespace attest::primal_dual
