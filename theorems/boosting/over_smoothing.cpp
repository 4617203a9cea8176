// Figure 6: residual attention makes tokens similar, boosting less so.
#include "theorems/engine/protocols/awaiting.hpp"

namespace attest::boosting {
using namespace engine;

Claims over_smoothing() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/fig-6",
        .label = "Fig 6 / Sec 4-5 (over-smoothing)",
        .title = "With residual connections tokens become similar layer by layer; boosting alleviates it",
        .kind = Kind::figure,
        .tex =
            R"(\overline{\cos}(\mathbf Y_{\ell+1}) \gtrsim \overline{\cos}(\mathbf Y_\ell),\quad \text{less so with boosting})",
        .assumptions = {"trained networks"},
        .expected = Verdict::undecided,
        .note = "A curve of trained networks, plotted without numbers. That it supports Proposition 4.1 is judged by "
                "itself, and so is what one layer without learned weights must do."},
       awaits("the mean cosine similarity after every block of trained DeiT-tiny and DeiT-tiny + Boost, of "
              "paired seeds, on the same thousand images",
              "it is a measurement on trained weights, and the paper prints no number to recompute"),
       {}});
  claims.push_back(
      {{.id = "boosting/recovery-tiny",
        .label = "Sec 3-4 (boosting keeps the signal: tiny models)",
        .title = "Boosting lowers the error of tiny models that recover a signal under noise of its own size",
        .kind = Kind::figure,
        .tex = R"(\mathrm{rmse}(\text{boosting})<\mathrm{rmse}(\text{standard residual}))",
        .assumptions = {"2 layers, 2 heads and width 16, the skill recovery of simulations/experiments/skills.toml"},
        .expected = Verdict::undecided,
        .printed = false},
       awaits("paired training runs of the skill recovery of simulations/experiments/skills.toml",
              "it takes trained models"),
       {}});
  return claims;
}

}  // namespace attest::boosting
