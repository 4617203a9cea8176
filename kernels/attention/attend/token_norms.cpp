#include "kernels/attention/attend/token_norms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

/// Below this many entries in all, threads would cost more than they save.
constexpr Index entries_worth_threads = Index{1} << 20;

}  // namespace

void token_norms(const HeadsView<const float>& tokens, Index b, Index h, Index first, Index count, Index features,
                 float* norms) {
  constexpr Index parts = 16;
  for (Index j = 0; j < count; ++j) {
    const float* const row = tokens.row(b, h, first + j);
    float sums[parts] = {};
    Index d = 0;
    for (; d + parts <= features; d += parts)
      for (Index i = 0; i < parts; ++i) sums[i] += row[d + i] * row[d + i];
    for (Index i = 0; d < features; ++d, ++i) sums[i] += row[d] * row[d];
    for (Index half = parts / 2; half > 0; half /= 2)
      for (Index i = 0; i < half; ++i) sums[i] += sums[half + i];
    const float norm = std::sqrt(sums[0]);
    norms[j] = norm <= std::numeric_limits<float>::max() ? norm : std::numeric_limits<float>::infinity();
  }
}

template <>
KeyNorms<double>::KeyNorms(const AttendProblem<double>&) : heads_(0), keys_(0), tiles_(0) {}

template <>
KeyNorms<float>::KeyNorms(const AttendProblem<float>& p)
    : heads_(p.heads),
      keys_(p.keys),
      tiles_((p.keys + tile_keys - 1) / tile_keys),
      norms_(aligned_array<float>(p.batch * p.heads * p.keys)),
      largest_(aligned_array<float>(p.batch * p.heads * tiles_)) {
  const Index all = p.batch * p.heads * tiles_;
  parallel::for_each_block(all, all * tile_keys * p.dim < entries_worth_threads ? 1 : p.threads, [&](Index tile) {
    const Index head = tile / tiles_, first = tile % tiles_ * tile_keys, count = std::min(tile_keys, p.keys - first);
    float* const norms = norms_.get() + head * p.keys + first;
    token_norms(p.k, head / p.heads, head % p.heads, first, count, p.dim, norms);
    largest_[tile] = *std::max_element(norms, norms + count);
  });
}

}  // namespace attest::attention
