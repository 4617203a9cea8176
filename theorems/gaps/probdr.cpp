// What the statements of this paper still owe. Numbers may only shrink.
#include "theorems/known_gaps.hpp"

namespace attest::gaps {

engine::Gaps probdr() {
  // clang-format off: one line a claim, so that a line can go alone
  return {
      {.claim = "probdr/block-descent", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/block-is-gradient-descent", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/block-raises-energy", .parts_without_near_miss = 2},
      {.claim = "probdr/blocks-are-linear", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/blocks-reach-eigenmap", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/data-gradient", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/data-step", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/data-step-on-sphere", .parts_without_near_miss = 2},
      {.claim = "probdr/data-step-projected", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/eigenvector-variance", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/elbo-maximum", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/gradient-sign", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/gram-estimate", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/graph-convolution-form", .against_itself = 1},
      {.claim = "probdr/layer-norm", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/linear-weight", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/logdet-gradient-constant", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/maximiser-real", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/mixture-is-linear", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/only-difference", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/optimum-on-sphere", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/prior-support", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/product-of-experts", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/projected-step-by-degrees", .parts_without_near_miss = 2},
      {.claim = "probdr/regulariser-step", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/residual-rotation", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/rotation-dimension", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/rotation-layer-norm", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/rotation-layer-norm-ones", .parts_without_near_miss = 2},
      {.claim = "probdr/row-sums-input", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/simsiam-kl", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/simsiam-kl-factor", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/softmax-laplacian-definite", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/softmax-laplacian-symmetric", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/softmax-laplacian-two-points", .against_itself = 1},
      {.claim = "probdr/step-size-bound", .parts_without_near_miss = 1},
      {.claim = "probdr/step-size-determinant", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/trace-minimisation", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/trace-minimisation-with-zero", .parts_without_near_miss = 2},
      {.claim = "probdr/tuned-kappa", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/update-with-beta", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/variance", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "probdr/zero-mean-rows", .idle_near_misses = 1, .no_near_hit = true},
  };
  // clang-format on
}

}  // namespace attest::gaps
