// Which pairs of a tile may be visible by causality and band, and products that leave out what is hidden.
#pragma once

#include <algorithm>

#include "kernels/attention/attend/attend_view.hpp"
#include "kernels/attention/attend/tile_logits.hpp"
#include "kernels/attention/attend/tile_memory.hpp"
#include "kernels/attention/attend/tile_operations.hpp"

namespace attest::attention {

/// Keys first .. end - 1 that some query of the block can see, `visible` aside, in whole tiles where a band ends them;
/// none where end <= first.
struct KeyTiles {
  Index first = 0, end = 0;
};
template <typename T>
KeyTiles key_tiles(const AttendProblem<T>& problem, const TilePlace& block) {
  KeyTiles keys{0, keys_end(problem.mask, block.b, block.first_query, block.queries, problem.keys)};
  if (problem.band.before >= 0)
    keys.first = std::max<Index>(block.first_query - problem.band.before, 0) / tile_keys * tile_keys;
  if (problem.band.after >= 0 && problem.band.after < problem.keys)
    keys.end = std::min(
        keys.end, (block.first_query + block.queries + problem.band.after + tile_keys - 1) / tile_keys * tile_keys);
  keys.first = std::min(keys.first, std::max<Index>(keys.end, 0));
  return keys;
}

/// use(tile) for the tiles of a block of queries against these keys, the first ones first.
template <typename Use>
void for_each_tile(const KeyTiles& keys, const TilePlace& block, const Use& use) {
  TilePlace tile = block;
  for (tile.first_key = keys.first; tile.first_key < keys.end; tile.first_key += tile_keys) {
    tile.keys = std::min(tile_keys, keys.end - tile.first_key);
    use(tile);
  }
}

/// tile^T rows, the sums over the keys of a tile [keys][queries], where `rows` [keys] and `sums` [queries] have `width`
/// entries each.
template <typename T>
TileProduct<T> sums_over_keys(const TilePlace& place, const T* tile, const Rows<T>& rows, T* sums, Index width) {
  return {.rows = place.queries,
          .columns = width,
          .inner = place.keys,
          .a = tile,
          .a_row = 1,
          .a_inner = place.row,
          .b = rows.data,
          .b_row = rows.row,
          .c = sums,
          .c_row = width};
}

/// The pairs with -after <= i - j <= before of one tile, i and j counted from its first query and key. Products with a
/// hidden entry of a tile are 0 either way: leaving them out changes no bit of finite results.
class VisiblePart {
 public:
  template <typename T>
  VisiblePart(const AttendProblem<T>& problem, const TilePlace& tile)
      : keys_(tile.keys), row_(tile.row), before_(infinite), after_(infinite) {
    const Index ahead = tile.first_key - tile.first_query;
    if (problem.band.before >= 0) before_ = problem.band.before + ahead;
    if (problem.band.after >= 0) after_ = problem.band.after - ahead;
    if (problem.mask.causal) after_ = std::min(after_, -ahead);
  }

  /// Whether no pair is hidden.
  bool whole() const { return row_ - 1 <= before_ && keys_ - 1 <= after_; }

  /// Of logits and their like, [keys][queries]: rows are keys, columns queries.
  template <typename T>
  void of_pairs(const TileOperations<T>& run, const TileProduct<T>& product) const {
    by_rows(run, product, [this](TileProduct<T>& part, Index key) {
      const Range queries = queries_of(key, part.rows);
      part.columns = queries.end - queries.first;
      part.b += queries.first;
      part.c += queries.first;
    });
  }

  /// Sums over the queries that see each key: rows are keys, A is the tile.
  template <typename T>
  void over_queries(const TileOperations<T>& run, const TileProduct<T>& product) const {
    by_rows(run, product, [this](TileProduct<T>& part, Index key) { sum_over(queries_of(key, part.rows), part); });
  }

  /// Sums over the keys that each query sees: rows are queries, A is the tile turned.
  template <typename T>
  void over_keys(const TileOperations<T>& run, const TileProduct<T>& product) const {
    by_rows(run, product, [this](TileProduct<T>& part, Index query) { sum_over(keys_of(query, part.rows), part); });
  }

 private:
  /// Rows of one product, and what ranges of queries are rounded to: whole registers.
  static constexpr Index block = 16;
  /// More than any extent, and small enough to be added to one.
  static constexpr Index infinite = Index{1} << 40;
  struct Range {
    Index first, end;
  };

  /// The product by blocks of rows; `narrow(part, row)` leaves of a part, from that row on, what its rows need.
  template <typename T, typename Narrow>
  void by_rows(const TileOperations<T>& run, const TileProduct<T>& product, const Narrow& narrow) const {
    if (whole()) return run.product(product);
    for (Index row = 0; row < product.rows; row += block) {
      TileProduct<T> part = product;
      part.rows = std::min(block, product.rows - row);
      part.a += row * product.a_row;
      part.c += row * product.c_row;
      if (product.factors != nullptr) part.factors += row;
      if (row > 0) part.ahead[0] = part.ahead[1] = {};
      narrow(part, row);
      run.product(part);
    }
  }

  /// Leaves of the inner sum the terms of a range.
  template <typename T>
  static void sum_over(const Range& terms, TileProduct<T>& part) {
    part.inner = std::clamp<Index>(part.inner - terms.first, 0, terms.end - terms.first);
    part.a += terms.first * part.a_inner;
    part.b += terms.first * part.b_row;
  }

  /// Keys that one of the queries query .. query + count - 1 sees.
  Range keys_of(Index query, Index count) const {
    const Index first = std::clamp<Index>(query - before_, 0, keys_);
    return {first, std::clamp<Index>(query + count + after_, first, keys_)};
  }

  /// Queries that see one of the keys key .. key + count - 1.
  Range queries_of(Index key, Index count) const {
    const Index first = std::clamp<Index>(key - after_, 0, row_) / block * block,
                end = (std::clamp<Index>(key + count + before_, 0, row_) + block - 1) / block * block;
    return {first, std::clamp(end, first, row_)};
  }

  Index keys_, row_, before_, after_;
};

}  // namespace attest::attention
