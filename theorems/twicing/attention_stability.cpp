// Twicing, Section 3.2 for attention matrices: how often random attention makes powers of 2A - A^2 explode.
#include <complex>

#include "kernels/spectra/attention_matrices.hpp"
#include "kernels/spectra/dense_spectrum.hpp"
#include "theorems/engine/protocols/expectation.hpp"
#include "theorems/twicing/family_figures.hpp"
#include "theorems/twicing/illustrated.hpp"

namespace attest::twicing {
namespace {

using namespace engine;
using spectra::AttentionFamily;

constexpr int sampled_tokens = 16;
constexpr int family_features = 4;

/// P(spectral radius of 2A - A^2 exceeds 1) >= share over random members of a family, 16 tokens of 4 features.
ExpectationConfiguration unstable_share(AttentionFamily family, double share) {
  ExpectationConfiguration c;
  c.name = spectra::name(family);
  c.statistic = [=](random::Stream& stream) {
    const Eigen::MatrixXd a =
        spectra::random_attention(family, sampled_tokens, family_features, stream.next_u64(), 0, 0);
    for (const std::complex<double> value : spectra::eigenvalues(a)) {
      // The eigenvalue 1 itself is on the edge: its rounding is not instability.
      if (std::abs(2.0 * value - value * value) > 1 + 1e-6) return 1.0;
    }
    return 0.0;
  };
  c.relation = Relation::greater_equal;
  c.bound = share;
  c.resolution = 0.02;
  c.samples = 20000;
  return c;
}

Check unstable_families(double asymmetric, double peaked) {
  return expectation(
      {unstable_share(AttentionFamily::asymmetric, asymmetric), unstable_share(AttentionFamily::peaked, peaked)});
}

}  // namespace

Claims attention_stability() {
  Claims claims;
  claims.push_back(
      {{.id = "twicing/unstable-share",
        .label = "Sec 3.2 (0-1 boundedness: how often random attention is unstable)",
        .title = "A fifth of random attention matrices of 16 tokens with 4 features, and most peaked ones, make powers "
                 "of 2A - A^2 explode",
        .kind = Kind::expectation_bound,
        .tex =
            R"(P(\rho(2A-A^2) > 1) \ge 0.2 \ (\text{temperature } \sqrt D),\quad \ge 0.7 \ (\text{temperature } \sqrt D/32))",
        .assumptions = {"16 tokens with 4 standard normal features, independent W_Q and W_K with entries N(0, 1/D)"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "twicing/sec-3.2-boundedness-attention"},
       illustrated(unstable_families(0.2, 0.7), spectra_of_families),
       {{"a quarter of the ordinary ones", 0.25, unstable_families(0.25, 0.7)},
        {"four fifths of the peaked ones", 0.14, unstable_families(0.2, 0.8)}}});
  return claims;
}

}  // namespace attest::twicing
