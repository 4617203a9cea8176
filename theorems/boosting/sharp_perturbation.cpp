// Eq 3.14: how far it is missed, of our own.
#include <cmath>

#include "theorems/boosting/exact_perturbation.hpp"
#include "theorems/engine/claim.hpp"
#include "theorems/engine/protocols/sequence.hpp"

namespace attest::boosting {
namespace {

using namespace engine;
using rigor::Ball;

/// E|softmax(eta) - softmax(0)|/sigma against N^power / log N: noise that is +-2 log N with probability 1/(2N) each and
/// 0 otherwise, so that sigma = 2 log N/sqrt N and one spike takes the weight.
Check worst_ratio(double power) {
  SequenceProblem p;
  p.claim = Asymptotics::same_order;
  p.n = geometric_grid(std::ldexp(1, 16), 16, 8);
  p.value = [](double n) {
    constexpr int most_spikes = 24;
    const Ball height = 2 * rigor::log(Ball(n));
    return sparse_noise_perturbation(static_cast<std::int64_t>(n), 1 / Ball(n), height, most_spikes) *
           rigor::sqrt(Ball(n)) / height;
  };
  p.reference = [power](double n) { return rigor::pow(Ball(n), Ball(power)) / rigor::log(Ball(n)); };
  p.resolution = 2e-3;
  return sequence(std::move(p));
}

}  // namespace

Claims sharp_perturbation() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/eq-3.14-worst-ratio",
        .label = "Eq 3.14 (constant uniform in sigma, c, N) (how far it is missed)",
        .title = "Rare noise of size 2 log N moves the weights sqrt N / log N times as far as sigma",
        .kind = Kind::rate,
        .tex =
            R"(\eta_i = \pm 2\log N \text{ with probability } \tfrac1{2N} \text{ each}:\quad \frac{1}{\sigma}\,\mathbb{E}\|\mathrm{softmax}(\eta) - \mathrm{softmax}(0)\| \asymp \frac{\sqrt N}{\log N})",
        .assumptions = {"c = 0, eta_i independent; N = 2^16 to 2^44"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/eq-3.14-uniform",
        .note = "sigma = 2 log N/sqrt N; the mean stays of the order of 1, as one spike is there with a fixed "
                "probability. Between it and the bound sigma sqrt(N - 1)/2 of boosting/thm-3.2-sharp lies log N."},
       worst_ratio(0.5),
       {{"N^0.495", 0.01, worst_ratio(0.495)}}});
  return claims;
}

}  // namespace attest::boosting
