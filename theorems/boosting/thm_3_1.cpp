// Theorem 3.1 under a causal mask: the weighted least squares estimate from the patches seen so far.
#include <vector>

#include "theorems/boosting/patches.hpp"
#include "theorems/engine/protocols/composite.hpp"
#include "theorems/engine/protocols/generic_check.hpp"
#include "theorems/engine/protocols/input_matrix.hpp"
#include "theorems/mechanisms/on_matrices.hpp"

namespace attest::boosting {
namespace {

using namespace engine;

/// Causal attention on x = e + p against Eq 3.2 with the kernel K_SA on the keys j <= i + `ahead` and 0 elsewhere, data
/// with their positions; n tokens in the plane.
Check causal_estimate(std::size_t n, std::size_t ahead, double positions) {
  return generic_identity({{"e", 2 * n, -2, 2}},
                          [=](const Inputs& in, auto zero) {
                            using Real = decltype(zero);
                            std::vector<double> at;
                            for (std::size_t i = 1; i <= n; ++i) at.push_back(static_cast<double>(i));
                            const auto e = matrix<Real>(in, "e", n, 2);
                            const auto p = sinusoidal_positions<Real>(at, 2);
                            const auto x = add(e, p, Real(1));
                            const auto data = add(e, p, Real(positions));
                            const auto logits = log_self_attention(e, p);
                            Matrix<Real> estimate(n, 2);
                            for (std::size_t i = 0; i < n; ++i) {
                              Real total(0);
                              for (std::size_t j = 0; j < n && j <= i + ahead; ++j) {
                                const Real weight = exp(logits(i, j));
                                total += weight;
                                for (std::size_t k = 0; k < 2; ++k) estimate(i, k) += weight * data(j, k);
                              }
                              for (std::size_t k = 0; k < 2; ++k) estimate(i, k) /= total;
                            }
                            return Pair<Real>{mechanisms::softmax_attention(x, x, x, true).entries, estimate.entries};
                          },
                          {.evaluations = 300, .rounding_bound = (13 * 8 + 2 * 24) * 0x1p-52, .scale = 3});
}

Check causal_estimates(std::size_t ahead, double positions) {
  return composite({{"3 tokens", Kind::identity, causal_estimate(3, ahead, positions)},
                    {"24 tokens", Kind::identity, causal_estimate(24, ahead, positions)}});
}

}  // namespace

Claims thm_3_1() {
  Claims claims;
  claims.push_back(
      {{.id = "boosting/thm-3.1-causal",
        .label = "Thm 3.1 (causal mask)",
        .title = "A causal layer is the weighted least squares estimate from the patches seen so far",
        .kind = Kind::identity,
        .tex = R"(\mathbf u_i = \frac{\sum_{j\le i}(\mathbf e_j+\mathbf p_j)K_{SA}(i,j)}{\sum_{j\le i}K_{SA}(i,j)})",
        .assumptions = {"W_Q = W_K = W_V = I, as in the language models of section 5.1 with a causal mask",
                        "judged for 3 and 24 tokens in the plane"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "boosting/thm-3.1",
        .note = "The kernel is then K_SA for j <= i and 0 for j > i, which is not symmetric, as section 2.3 asks of K; "
                "Eqs 2.11 and 2.12 do not need the symmetry (boosting/eq-2.12)."},
       causal_estimates(0, 1),
       {{"one key ahead", 1, causal_estimates(1, 1)},
        {"positions smaller by 0.1 percent in the data", 0.001, causal_estimates(0, 0.999)}}});
  return claims;
}

}  // namespace attest::boosting
