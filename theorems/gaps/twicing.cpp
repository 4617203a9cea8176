// What the statements of this paper still owe. Numbers may only shrink.
#include "theorems/known_gaps.hpp"

namespace attest::gaps {

engine::Gaps twicing() {
  // clang-format off: one line a claim, so that a line can go alone
  return {
      {.claim = "twicing/a3-change-of-variables", .idle_near_misses = 2, .no_near_hit = true},
      {.claim = "twicing/a4-bandwidth", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "twicing/a5-self-convolution", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "twicing/abstract-slower-decay", .parts_without_near_miss = 1},
      {.claim = "twicing/app-e-increasing", .parts_without_near_miss = 1},
      {.claim = "twicing/app-e-proportional", .idle_near_misses = 2, .no_near_hit = true},
      {.claim = "twicing/def-1-eigenvalue-sum", .idle_near_misses = 2, .no_near_hit = true},
      {.claim = "twicing/discrete-convolution", .no_near_hit = true},
      {.claim = "twicing/eq-1", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "twicing/eq-22", .parts_without_near_miss = 2},
      {.claim = "twicing/eq-27", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "twicing/eq-29", .no_near_hit = true},
      {.claim = "twicing/eq-6", .idle_near_misses = 2, .no_near_hit = true},
      {.claim = "twicing/eq-7", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "twicing/eq-7-rearranged", .parts_without_near_miss = 2},
      {.claim = "twicing/fig-3", .parts_without_near_miss = 1},
      {.claim = "twicing/negative-lobes", .blind_searches = 2},
      {.claim = "twicing/prop-1", .parts_without_near_miss = 2},
      {.claim = "twicing/prop-1-geometric", .parts_without_near_miss = 2},
      {.claim = "twicing/prop-2", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "twicing/prop-2-positive-definite", .parts_without_near_miss = 6},
      {.claim = "twicing/remark-1", .idle_near_misses = 2, .no_near_hit = true},
      {.claim = "twicing/remark-1-symmetric", .parts_without_near_miss = 1},
      {.claim = "twicing/remark-2-adversarial", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "twicing/remark-2-bandwidth", .no_near_hit = true},
      {.claim = "twicing/remark-2-lower-bias", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "twicing/remark-3", .parts_without_near_miss = 1},
      {.claim = "twicing/sec-2.3-smooths", .idle_near_misses = 2, .no_near_hit = true},
      {.claim = "twicing/sec-3.1-coefficients", .idle_near_misses = 2, .no_near_hit = true},
      {.claim = "twicing/sec-3.1-positive-definite", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "twicing/sec-3.1-spectrum", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "twicing/sec-3.1-spectrum-symmetric", .parts_without_near_miss = 2},
      {.claim = "twicing/sec-3.2-boundedness", .parts_without_near_miss = 1},
      {.claim = "twicing/sec-3.2-boundedness-attention", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "twicing/sec-3.2-maximum", .parts_without_near_miss = 1, .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "twicing/sec-3.2-maximum-amended", .parts_without_near_miss = 2},
      {.claim = "twicing/sec-3.3-mean-value", .parts_without_near_miss = 2},
      {.claim = "twicing/sec-3.3-slower-2a-2a2", .idle_near_misses = 2, .no_near_hit = true},
      {.claim = "twicing/stable-families", .parts_without_near_miss = 1},
      {.claim = "twicing/table-5-gflops", .idle_near_misses = 1, .no_near_hit = true},
      {.claim = "twicing/valid-kernel", .idle_near_misses = 2, .no_near_hit = true},
      {.claim = "twicing/variance-price-positive-definite", .parts_without_near_miss = 1},
  };
  // clang-format on
}

}  // namespace attest::gaps
