// Section 1 and Section 5 / Appendix D.1: what is said of trained networks.
#include "theorems/engine/protocols/awaiting.hpp"

namespace attest::twicing {

using namespace engine;

Claims token_diversity() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/sec-1-vanishing-eigenvalues",
        .label = "Sec 1 (vanishing eigenvalues are a major cause of collapse)",
        .title = "Vanishing eigenvalues of the smoothing matrix are a major cause of representation collapse",
        .kind = Kind::implication,
        .tex = R"(\lambda_j^n\to0\ (j\ge2)\implies\text{the tokens of a transformer become alike})",
        .assumptions = {"a trained transformer, not the iteration of one fixed A"},
        .expected = Verdict::undecided,
        .note =
            "Under one fixed A the tokens collapse at the rate of these eigenvalues, which is judged at Eq 12 and "
            "after it. 'A major cause' in transformers is a statement about trained networks with residual "
            "connections, new matrices in each layer and feed-forward halves; 'major' is not an assertion that can be "
            "judged.",
        .depends_on = {"twicing/sec-3.1-spectrum", "twicing/eq-12", "twicing/sec-3.1-convergence"}},
       awaits(
           "token similarity by layer of networks trained alike, with and without twicing, with and without residual "
           "connections, beside the spectra of their attention matrices",
           "a cause in trained networks shows only where it is removed and the rest kept"),
       {}});
  claims.push_back(
      {{.id = "twicing/sec-5-diversity",
        .label = "Sec 5 / D.1 (twicing keeps tokens more diverse: cosine similarity)",
        .title = "Token cosine similarity grows more slowly with twicing",
        .kind = Kind::figure,
        .tex = R"(\overline{\cos}_{\,\ell}(\text{DeiT-Twicing})<\overline{\cos}_{\,\ell}(\text{DeiT}),)"
               R"(\quad\ell=1,\dots,12)",
        .assumptions = {"DeiT-tiny trained on ImageNet, '100 random samples'"},
        .expected = Verdict::undecided,
        .note = "Shown as curves without numbers or spread over seeds (Figures 1 and 8). What a layer guarantees is "
                "judged beside this."},
       awaits("mean token cosine similarity by layer of DeiT-tiny trained with and without twicing, paired seeds",
              "the tokens are those of trained networks"),
       {}});
  claims.push_back(
      {{.id = "twicing/denoising-tiny",
        .label = "Sec 3.2 (twicing keeps what smoothing loses: tiny models)",
        .title = "Twicing lowers the error of tiny models that denoise a signal of two lines",
        .kind = Kind::figure,
        .tex = R"(\mathrm{rmse}(\text{twicing})<\mathrm{rmse}(\text{softmax}))",
        .assumptions = {"2 layers, 2 heads and width 16, the skill denoising of simulations/experiments/skills.toml"},
        .expected = Verdict::undecided,
        .printed = false},
       awaits("paired training runs of the skill denoising of simulations/experiments/skills.toml",
              "it takes trained models"),
       {}});
  return claims;
}

}  // namespace attest::twicing
