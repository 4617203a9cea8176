// Sums over blocks that are computed on several threads and combined in order, without keeping them all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/parallel/blocks.hpp"

namespace attest::parallel {

/// absorb(part) for part = compute(0), ..., compute(blocks - 1), in this order on the calling thread; the parts are
/// computed on up to `threads` threads (0: one per core), `kept` at a time. So the result has the same bits for any
/// number of threads, and the memory is that of `kept` parts, however many blocks there are. Part: default
/// constructible and movable; kept >= 1. Errors: those of for_each_block.
template <typename Part, typename Compute, typename Absorb>
void fold_blocks(std::int64_t blocks, unsigned threads, std::int64_t kept, const Compute& compute,
                 const Absorb& absorb) {
  std::vector<Part> parts(static_cast<std::size_t>(std::min(blocks, kept)));
  for (std::int64_t first = 0; first < blocks; first += kept) {
    const std::int64_t count = std::min(kept, blocks - first);
    for_each_block(count, threads, [&](std::int64_t i) { parts[static_cast<std::size_t>(i)] = compute(first + i); });
    for (std::int64_t i = 0; i < count; ++i) absorb(parts[static_cast<std::size_t>(i)]);
  }
}

}  // namespace attest::parallel
