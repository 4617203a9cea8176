// Proposition 3.1, last part of Eq 3.4: how much of the hypothesis gives a gain, by simulation.
#include <algorithm>

#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/expectation.hpp"

namespace attest::boosting {

using namespace engine;

namespace {

// P(alpha (alpha + 2 beta) > gamma (gamma + 2)) = share for alpha, beta, gamma uniform under min(alpha, beta) > gamma.
Check share_of_hypothesis(double share) {
  ExpectationConfiguration uniform;
  uniform.name = "alpha, beta, gamma uniform on [0, 1] given min(alpha, beta) > gamma";
  uniform.statistic = [](random::Stream& stream) {
    for (;;) {
      const double alpha = stream.uniform();
      const double beta = stream.uniform();
      const double gamma = stream.uniform();
      if (std::min(alpha, beta) > gamma) return alpha * (alpha + 2 * beta) > gamma * (gamma + 2) ? 1.0 : 0.0;
    }
  };
  uniform.relation = Relation::equal;
  uniform.bound = share;
  uniform.resolution = 0.01;
  uniform.samples = 200'000;
  return expectation({uniform});
}

}  // namespace

Claims residual_snr_gain() {
  return {
      {{.id = "boosting/residual-snr-gain-share",
        .label = "Prop 3.1 / Eq 3.4 (share of the hypothesis)",
        .title = "How much of the printed hypothesis gives a gain",
        .kind = Kind::expectation_bound,
        .tex =
            R"(\Pr\bigl(\alpha(\alpha+2\beta) > \gamma(\gamma+2) \mid \min(\alpha,\beta) > \gamma\bigr) = 0.8649\ldots)",
        .assumptions = {"alpha, beta, gamma uniform on [0, 1] given min(alpha, beta) > gamma."},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/residual-snr-gain",
        .note = "The share of the volume that the hypothesis allows on which the bound exceeds 1. The number is 3 "
                "int_0^1 (a - g - (g^2 + 2 g)/2 log(a/g) + (a^2 - g^2)/4 + (1 - a)(1 - g)) "
                "dg with a = sqrt(2 g^2 + 2 g) - g."},
       share_of_hypothesis(0.8649),
       {{"a share larger by 3 percent", 0.03, share_of_hypothesis(0.8649 * 1.03)}}},
  };
}

}  // namespace attest::boosting
