#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/attend/block_logits.hpp"
#include "kernels/attention/attend/tile_memory.hpp"
#include "kernels/attention/attend/visible_part.hpp"
#include "kernels/elementary/exponential.hpp"
#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

// The online softmax of a block of queries: what it carries from one tile of keys to the next. The largest logits are
// of type T until a tile has wide ones.
template <typename T>
struct OnlineSoftmax {
  explicit OnlineSoftmax(Index columns)
      : largest(scratch<T>(Scratch::row_numbers, 3 * columns)),
        normaliser(largest + columns),
        correction(normaliser + columns),
        wide_largest(scratch<double>(Scratch::wide_row_numbers, columns)) {
    std::fill_n(largest, columns, -std::numeric_limits<T>::infinity());
    std::fill_n(normaliser, columns, T(0));
  }

  void step(const TileOperations<T>& run, BlockLogits<T>& logits, const TilePlace& place, T* tile) {
    if (logits.form(place, wide, tile))
      return run.softmax_step(tile, place.keys, place.row, largest, normaliser, correction);
    if (!wide) std::copy_n(largest, place.row, wide_largest);
    wide = true;
    run.wide_softmax_step(logits.wide(), tile, place.keys, place.row, wide_largest, normaliser, correction);
  }

  double largest_of(Index i) const { return wide ? wide_largest[i] : static_cast<double>(largest[i]); }

  T *largest, *normaliser, *correction;
  double* wide_largest;
  bool wide = false;
};

// The queries of `place` against all their keys, by tiles: in a tile of weights the queries lie in the lanes.
template <typename T>
void forward_block(const AttendProblem<T>& p, const KeyNorms<T>& key_norms, TilePlace place, const HeadsView<T>& out,
                   T* out_largest, T* out_normaliser) {
  using Keep = typename TileProduct<T>::Keep;
  const TileOperations<T>& run = chosen_operations(p);
  place.row = padded<T>(place.queries);
  const Index width = padded<T>(p.value_dim);
  BlockLogits<T> logits(p, key_norms, place);
  OnlineSoftmax<T> softmax(place.row);
  T* const weights = scratch<T>(Scratch::tile, tile_keys * tile_queries);
  T* const sums = scratch<T>(Scratch::sums, tile_queries * width);

  const KeyTiles keys = key_tiles(p, place);
  if (keys.end <= keys.first) std::fill_n(sums, place.queries * width, T(0));
  for_each_tile(keys, place, [&](const TilePlace& tile) {
    softmax.step(run, logits, tile, weights);
    if (p.dropout.rate > 0) {
      T* const factors = scratch<T>(Scratch::factors, tile_keys * tile_queries);
      dropout_factors(p, tile, factors);
      multiply_entries(tile, weights, factors);
    }
    const Rows<T> v =
        padded_rows(p.v, tile.b, tile.h, tile.first_key, tile.keys, p.value_dim, T(1), Scratch::value_rows);
    TileProduct<T> product = sums_over_keys(tile, weights, v, sums, width);
    product.keep = tile.first_key == keys.first ? Keep::nothing : Keep::scaled;
    product.factors = softmax.correction;
    product.ahead[0] = next_keys(p, tile.b, tile.h, tile.first_key, p.v, p.value_dim);
    product.ahead[1] = next_head(p, tile.b, tile.h, out, p.queries, p.value_dim);
    VisiblePart(p, tile).over_keys(run, product);
  });

  const Index at = (place.b * p.heads + place.h) * p.queries + place.first_query;
  for (Index i = 0; i < place.queries; ++i) {
    const T normaliser = softmax.normaliser[i];
    const T inverse = normaliser > 0 ? 1 / normaliser : normaliser;  // Zero without keys; NaN stays NaN.
    T* const row = out.row(place.b, place.h, place.first_query + i);
    for (Index d = 0; d < p.value_dim; ++d) row[d] = sums[i * width + d] * inverse;
    // What rounding the largest logit changes goes into the normaliser.
    const double largest = softmax.largest_of(i);
    const auto saved = static_cast<T>(largest);
    out_largest[at + i] = saved;
    out_normaliser[at + i] =
        softmax.wide && std::isfinite(largest)
            ? normaliser * static_cast<T>(elementary::exponential(largest - static_cast<double>(saved)))
            : normaliser;
  }
}

}  // namespace

template <typename T>
void attend_view(const AttendProblem<T>& p, HeadsView<T> out, T* largest, T* normaliser) {
  KeyNorms<T> key_norms(p);
  const Index blocks = (p.queries + tile_queries - 1) / tile_queries;
  const auto for_each = heads_are_tiles(p) ? parallel::for_each_block_in_runs : parallel::for_each_block;
  for_each(p.batch * p.heads * blocks, p.threads, [&](Index task) {
    // The last queries first: under a causal mask they have the most keys.
    const Index first = (blocks - 1 - task % blocks) * tile_queries, head = task / blocks;
    const TilePlace place{.b = head / p.heads,
                          .h = head % p.heads,
                          .first_query = first,
                          .queries = std::min(tile_queries, p.queries - first)};
    key_norms.form(place.b, place.h);
    forward_block(p, key_norms, place, out, largest, normaliser);
  });
}

template void attend_view(const AttendProblem<float>&, HeadsView<float>, float*, float*);
template void attend_view(const AttendProblem<double>&, HeadsView<double>, double*, double*);

}  // namespace attest::attention
