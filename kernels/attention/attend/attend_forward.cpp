#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/attend/tile_logits.hpp"
#include "kernels/attention/attend/tile_memory.hpp"
#include "kernels/elementary/exponential.hpp"
#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

// The queries of `place` against all their keys, by tiles: transposed, so that queries lie in the lanes.
template <typename T>
void forward_block(const AttendProblem<T>& p, TilePlace place, const HeadsView<T>& out, T* out_largest,
                   T* out_normaliser) {
  using Keep = typename TileProduct<T>::Keep;
  const TileOperations<T>& run = chosen_operations(p);
  const Index columns = place.row = padded<T>(place.queries);
  const auto q = aligned_array<double>(p.dim * columns), keys = aligned_array<double>(tile_keys * p.dim),
             logits = aligned_array<double>(tile_keys * columns), largest = aligned_array<double>(columns);
  const auto sums = aligned_array<T>(p.value_dim * columns), weights = aligned_array<T>(tile_keys * columns);
  const auto factors = aligned_array<T>(p.dropout.rate > 0 ? tile_keys * columns : 0);
  const auto normaliser = aligned_array<T>(columns), correction = aligned_array<T>(columns);
  copy_transposed(p.q, place.b, place.h, place.first_query, place.queries, p.dim, static_cast<double>(p.scale), columns,
                  q.get());
  std::fill_n(sums.get(), p.value_dim * columns, T(0));
  std::fill_n(largest.get(), columns, -std::numeric_limits<double>::infinity());
  std::fill_n(normaliser.get(), columns, T(0));

  const Index end = keys_end(p.mask, place.b, place.first_query, place.queries, p.keys);
  for (Index first_key = 0; first_key < end; first_key += tile_keys) {
    place.first_key = first_key;
    place.keys = std::min(tile_keys, end - first_key);
    const WideRows k = wide_rows(p.k, place.b, place.h, first_key, place.keys, p.dim, keys.get());
    run.logit_product({.rows = place.keys,
                       .columns = columns,
                       .inner = p.dim,
                       .a = k.data,
                       .a_row = k.row,
                       .a_inner = 1,
                       .b = q.get(),
                       .b_row = columns,
                       .c = logits.get(),
                       .c_row = columns});
    adjust_logits(p, place, logits.get());
    run.softmax_step(logits.get(), weights.get(), place.keys, columns, largest.get(), normaliser.get(),
                     correction.get());
    if (p.dropout.rate > 0) {
      dropout_factors(p, place, factors.get());
      multiply_entries(place, weights.get(), factors.get());
    }
    run.product({.rows = p.value_dim,
                 .columns = columns,
                 .inner = place.keys,
                 .a = p.v.row(place.b, place.h, first_key),
                 .a_row = 1,
                 .a_inner = p.v.token,
                 .b = weights.get(),
                 .b_row = columns,
                 .c = sums.get(),
                 .c_row = columns,
                 .keep = Keep::scaled,
                 .factors = correction.get()});
  }

  for (Index i = 0; i < place.queries; ++i) {
    const T inverse = normaliser[i] > 0 ? 1 / normaliser[i] : normaliser[i];  // Zero without keys; NaN stays NaN.
    T* const row = out.row(place.b, place.h, place.first_query + i);
    for (Index d = 0; d < p.value_dim; ++d) row[d] = sums[d * columns + i] * inverse;
  }
  const Index at = (place.b * p.heads + place.h) * p.queries + place.first_query;
  for (Index i = 0; i < place.queries; ++i) {
    // What rounding the largest logit changes goes into the normaliser.
    const T saved = out_largest[at + i] = static_cast<T>(largest[i]);
    const bool has_keys = std::isfinite(largest[i]);
    out_normaliser[at + i] =
        has_keys ? normaliser[i] * static_cast<T>(elementary::exponential(largest[i] - static_cast<double>(saved)))
                 : normaliser[i];
  }
}

}  // namespace

template <typename T>
void attend_view(const AttendProblem<T>& p, HeadsView<T> out, T* largest, T* normaliser) {
  const Index blocks = (p.queries + tile_queries - 1) / tile_queries;
  parallel::for_each_block(p.batch * p.heads * blocks, p.threads, [&](Index task) {
    // The last queries first: under a causal mask they have the most keys.
    const Index first = (blocks - 1 - task % blocks) * tile_queries, head = task / blocks;
    const TilePlace place{.b = head / p.heads,
                          .h = head % p.heads,
                          .first_query = first,
                          .queries = std::min(tile_queries, p.queries - first)};
    forward_block(p, place, out, largest, normaliser);
  });
}

template void attend_view(const AttendProblem<float>&, HeadsView<float>, float*, float*);
template void attend_view(const AttendProblem<double>&, HeadsView<double>, double*, double*);

}  // namespace attest::attention
