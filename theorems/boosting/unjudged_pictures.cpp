// Figures 1, 3 and 5, the interpretation of section 6.1 and the conjecture of section 6.2: what awaits measurements.
#include "theorems/engine/protocols/awaiting.hpp"

namespace attest::boosting {
using namespace engine;

Claims unjudged_pictures() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/pictures",
        .label = "Fig 1, Fig 3, Fig 5; Sec 6.1 (NoPE 'theoretical justification'); Sec 6.2 (k-SVD conjecture)",
        .title = "Correlation maps, learning curves, heat maps, an interpretation and a conjecture",
        .kind = Kind::figure,
        .tex =
            R"(\text{token-to-position correlations without pattern; faster convergence with } K_{BSA}\text{; wider heat maps})",
        .assumptions = {"trained networks"},
        .expected = Verdict::undecided,
        .note = "Figure 1 is quoted from another paper. 'Justification' and 'may be related to k-SVD' are not "
                "assertions that can be judged. The learning curves of figure 3 and the heat maps of "
                "figure 5 are measurements on trained models, plotted without numbers."},
       awaits("learning curves of standard and bilateral attention on the Image and Text tasks, of paired seeds, and "
              "the share of an annotated object's area that the last layer's attention covers, on ImageNet-1k",
              "it takes trained models, and the paper prints no number to recompute"),
       {}});
  return claims;
}

}  // namespace attest::boosting
