// Figures 1, 2, 4 to 7, 9 and 10 and the last sentence of Appendix E: what is said of trained networks without a
// number.
#include "theorems/engine/protocols/awaiting.hpp"

namespace attest::twicing {
namespace {

using namespace engine;

/// What a sentence on trained networks says, and the measurement that would decide it.
struct Measured {
  const char* id;
  const char* label;
  const char* title;
  const char* tex;
  const char* assumption;
  const char* note;
  const char* measurement;
};

constexpr Measured measured[] = {
    {"twicing/sec-5-three-quarters", "Sec 1 and Sec 5 / Fig 1 (the similarity of tokens against three quarters)",
     "The mean cosine similarity of tokens exceeds three quarters in DeiT and stays below in DeiT-Twicing",
     R"(\max_\ell\overline{\cos}_{\,\ell}(\text{DeiT})>\tfrac34>\max_\ell\overline{\cos}_{\,\ell}(\text{DeiT-Twicing}))",
     "DeiT-tiny trained on ImageNet, '100 random samples'",
     "Curves without numbers: 'quickly exceeds three-quarters', 'just under 0.9' in the final layers.",
     "mean token cosine similarity by layer of DeiT-tiny trained with and without twicing, several seeds"},
    {"twicing/fig-4-corruptions", "App B.3 / Fig 4 (all 15 types of corruptions)",
     "DeiT-Twicing has the lower error than DeiT under each of the 15 corruptions of ImageNet-C",
     R"(\mathrm{CE}_c(\text{DeiT-Twicing})<\mathrm{CE}_c(\text{DeiT}),\quad c=1,\dots,15)",
     "DeiT-tiny trained on ImageNet", "Bars without numbers; their mean is judged at Table 2.",
     "the error under each corruption of DeiT-tiny trained with and without twicing, paired seeds"},
    {"twicing/figs-5-6-budgets", "App B.2 / Figs 5 and 6 (six budgets of FGSM and PGD)",
     "DeiT-Twicing is more accurate than DeiT at each of six budgets of FGSM and PGD",
     R"(\mathrm{acc}_\epsilon(\text{DeiT-Twicing})>\mathrm{acc}_\epsilon(\text{DeiT}))",
     "DeiT-tiny trained on ImageNet", "Curves without numbers; the budget 4/255 is judged at Table 1.",
     "accuracy of DeiT-tiny trained with and without twicing under FGSM and PGD at six budgets, paired seeds"},
    {"twicing/fig-7-convergence", "App B.1 / Fig 7 (relatively faster convergence)",
     "Language models with twicing reach a given validation perplexity in fewer steps",
     R"(\text{steps to a perplexity}(\text{twicing})<\text{steps}(\text{softmax}))",
     "the small and the medium model of Appendix B.1",
     "Curves without numbers. That the perplexity at the end is lower is judged at Table 6; faster is more than that.",
     "validation perplexity by step of language models trained with and without twicing, paired seeds"},
    {"twicing/heat-maps", "Figs 2, 9 and 10 / Sec 5 and App D.2 (heat maps of attention)",
     "The heat maps of DeiT-Twicing cover more of the objects, those of DeiT collapse to few points",
     R"(\text{share of the object attended to}(\text{DeiT-Twicing})>\text{share}(\text{DeiT}))",
     "DeiT-tiny trained on ImageNet", "Chosen pictures; 'usually' and 'only in few cases' count none.",
     "the share of an outlined object's area that the last layer's attention covers, on images drawn at random"},
    {"twicing/app-e-initial-layers", "App E (twicing in few initial layers)",
     "Twicing in few initial layers alone does not raise accuracy",
     R"(\mathrm{acc}(\text{DeiT-Twicing}[1\text{-}k])\approx\mathrm{acc}(\text{DeiT}))",
     "DeiT-tiny trained on ImageNet", "'May not offer significant overall improvements', without numbers.",
     "accuracy of DeiT-tiny trained with twicing in its first layers alone and without, paired seeds"},
};

}  // namespace

Claims unjudged_figures() {
  Claims claims;
  for (const Measured& m : measured)
    claims.push_back({{.id = m.id,
                       .label = m.label,
                       .title = m.title,
                       .kind = Kind::figure,
                       .tex = m.tex,
                       .assumptions = {m.assumption},
                       .expected = Verdict::undecided,
                       .note = m.note},
                      awaits(m.measurement, "it takes trained models, and the paper prints no number to recompute"),
                      {}});
  return claims;
}

}  // namespace attest::twicing
