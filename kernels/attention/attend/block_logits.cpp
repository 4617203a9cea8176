#include "kernels/attention/attend/block_logits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/attention/attend/visible_part.hpp"
#include "kernels/parallel/blocks.hpp"

namespace attest::attention {
namespace {

/// Up to this many keys of a tile are taken one by one: a product with one row runs at a quarter of the rate.
constexpr Index few_keys = 12;

/// Below this many entries in all, threads would cost more than they save.
constexpr Index entries_worth_threads = Index{1} << 20;

float finite_or_infinity(float norm) {
  return norm <= std::numeric_limits<float>::max() ? norm : std::numeric_limits<float>::infinity();
}

/// Entry by entry in 16 sums, which are added up in pairs.
float squared_norm(const float* row, Index features) {
  float sums[16] = {}, eighths[8], quarters[4];
  Index d = 0;
  for (; d + 16 <= features; d += 16)
    for (Index i = 0; i < 16; ++i) sums[i] += row[d + i] * row[d + i];
  for (Index i = 0; d < features; ++d, ++i) sums[i] += row[d] * row[d];
  for (Index i = 0; i < 8; ++i) eighths[i] = sums[i] + sums[8 + i];
  for (Index i = 0; i < 4; ++i) quarters[i] = eighths[i] + eighths[4 + i];
  return finite_or_infinity((quarters[0] + quarters[2]) + (quarters[1] + quarters[3]));
}

/// run(head of all, first key, count) for tiles of keys.
template <typename T, typename Run>
void for_tiles_of_keys(const AttendProblem<T>& p, const Run& run) {
  const Index tiles = (p.keys + tile_keys - 1) / tile_keys, all = p.batch * p.heads * tiles;
  parallel::for_each_block(all, all * tile_keys * p.dim < entries_worth_threads ? 1 : p.threads, [&](Index tile) {
    const Index first = tile % tiles * tile_keys;
    run(tile / tiles, first, std::min(tile_keys, p.keys - first));
  });
}

}  // namespace

template <>
KeyNorms<double>::KeyNorms(const AttendProblem<double>& p) : problem_(p) {}

template <>
void KeyNorms<double>::form(Index, Index) {}

template <>
AlignedArray<float> squared_key_norms(const AttendProblem<double>&) {
  return {};
}

template <>
AlignedArray<float> squared_key_norms(const AttendProblem<float>& p) {
  AlignedArray<float> norms = aligned_array<float>(p.batch * p.heads * p.keys);
  for_tiles_of_keys(p, [&](Index head, Index first, Index count) {
    for (Index j = first; j < first + count; ++j)
      norms[static_cast<std::size_t>(head * p.keys + j)] =
          squared_norm(p.k.row(head / p.heads, head % p.heads, j), p.dim);
  });
  return norms;
}

template <>
void KeyNorms<float>::form_tile(Index head, Index first, Index count) {
  const KeySquares& known = problem_.key_squares;
  const Index b = head / problem_.heads, h = head % problem_.heads;
  float* const norms = norms_.get() + head * problem_.keys + first;
  for (Index j = 0; j < count; ++j)
    norms[j] = known.data == nullptr ? squared_norm(problem_.k.row(b, h, first + j), problem_.dim)
                                     : known.data[b * known.batch + h * known.head + (first + j) * known.token];
  largest_[static_cast<std::size_t>(head * tiles_ + first / tile_keys)] = *std::max_element(norms, norms + count);
}

template <>
KeyNorms<float>::KeyNorms(const AttendProblem<float>& p)
    : problem_(p),
      tiles_((p.keys + tile_keys - 1) / tile_keys),
      norms_(aligned_array<float>(p.batch * p.heads * p.keys)),
      largest_(aligned_array<float>(p.batch * p.heads * tiles_)) {
  if (!heads_are_tiles(p))
    for_tiles_of_keys(p, [&](Index head, Index first, Index count) { form_tile(head, first, count); });
}

template <>
void KeyNorms<float>::form(Index b, Index h) {
  if (heads_are_tiles(problem_)) form_tile(b * problem_.heads + h, 0, problem_.keys);
}

float narrow_limit(Index dim) {
  double squares = 0;
  for (Index before = 0; before < dim; before += features_per_sum) {
    const auto summed = static_cast<double>(std::min(features_per_sum, dim - before));
    squares += summed * (summed + 1) / 2;
    if (before > 0) squares += static_cast<double>(before) + summed;
  }
  return static_cast<float>(8 / std::sqrt(squares) * static_cast<double>(dim));
}

template <typename T>
BlockLogits<T>::BlockLogits(const AttendProblem<T>& p, const KeyNorms<T>& key_norms, const TilePlace& block)
    : problem_(p),
      key_norms_(key_norms),
      lanes_(scratch<T>(Scratch::query_lanes, p.dim * tile_queries)),
      limit_(narrow_limit(p.dim) * narrow_limit(p.dim)) {
  transposed_rows(p, p.q, block.b, block.h, block.first_query, block.queries, p.dim, p.scale, block.row, lanes_);
  if constexpr (std::is_same_v<T, float>) {
    for (Index d = 0; d < p.dim; ++d)
      for (Index i = 0; i < block.row; ++i) {
        const float entry = lanes_[d * block.row + i];
        query_norms_[i] = std::fma(entry, entry, query_norms_[i]);
      }
    for (Index i = 0; i < block.queries; ++i) query_norms_[i] = finite_or_infinity(query_norms_[i]);
    largest_norm_ = *std::max_element(query_norms_, query_norms_ + block.queries);
  }
}

template <typename T>
void BlockLogits<T>::form_narrow(const TilePlace& place, T* narrow) const {
  using Keep = typename TileProduct<T>::Keep;
  const Index features = std::is_same_v<T, float> ? features_per_sum : problem_.dim;
  const VisiblePart part(problem_, place);
  for (Index d = 0; d < problem_.dim; d += features)
    part.of_pairs<T>(
        chosen_operations(problem_),
        {.rows = place.keys,
         .columns = place.row,
         .inner = std::min(features, problem_.dim - d),
         .a = problem_.k.row(place.b, place.h, place.first_key) + d,
         .a_row = problem_.k.token,
         .a_inner = 1,
         .b = lanes_ + d * place.row,
         .b_row = place.row,
         .c = narrow,
         .c_row = place.row,
         .keep = d == 0 ? Keep::nothing : Keep::all,
         .ahead = {
             d == 0 ? next_keys(problem_, place.b, place.h, place.first_key, problem_.k, problem_.dim) : Ahead{},
             d == 0 ? next_head(problem_, place.b, place.h, problem_.q, problem_.queries, problem_.dim) : Ahead{}}});
}

template <typename T>
void BlockLogits<T>::form_wide(const TilePlace& place, Index first, Index count) {
  const AttendProblem<T>& p = problem_;
  if (wide_lanes_ == nullptr) {
    wide_lanes_ = scratch<double>(Scratch::wide_query_lanes, p.dim * place.row);
    for (Index i = 0; i < place.row; ++i) {
      const T* const row = p.q.row(place.b, place.h, place.first_query + std::min(i, place.queries - 1));
      for (Index d = 0; d < p.dim; ++d)
        wide_lanes_[d * place.row + i] =
            i < place.queries ? static_cast<double>(p.scale) * static_cast<double>(row[d]) : 0.0;
    }
  }
  auto* const keys = scratch<double>(Scratch::wide_keys, tile_keys * p.dim);
  for (Index j = 0; j < count; ++j) {
    const T* const row = p.k.row(place.b, place.h, place.first_key + first + j);
    for (Index d = 0; d < p.dim; ++d) keys[j * p.dim + d] = static_cast<double>(row[d]);
  }
  chosen_operations(p).wide_product({.rows = count,
                                     .columns = place.row,
                                     .inner = p.dim,
                                     .a = keys,
                                     .a_row = p.dim,
                                     .a_inner = 1,
                                     .b = wide_lanes_,
                                     .b_row = place.row,
                                     .c = wide_ + first * place.row,
                                     .c_row = place.row});
}

template <typename T>
void BlockLogits<T>::form_large(const TilePlace& place, const float* key_norms) {
  const auto is_large = [&](float norm) { return !(largest_norm_ * norm <= limit_); };
  if (std::count_if(key_norms, key_norms + place.keys, is_large) > few_keys) return form_wide(place, 0, place.keys);
  for (Index j = 0; j < place.keys; ++j)
    if (is_large(key_norms[j])) form_wide(place, j, 1);
}

template <>
bool BlockLogits<double>::form(const TilePlace& place, bool, double* narrow) {
  form_narrow(place, narrow);
  add_biases(problem_, place, narrow);
  hide_masked(problem_, place, narrow);
  return true;
}

template <>
bool BlockLogits<float>::form(const TilePlace& place, bool wanted_wide, float* narrow) {
  const AttendProblem<float>& p = problem_;
  const float* const key_norms = key_norms_.of(place.b, place.h) + place.first_key;
  const bool all_small = largest_norm_ * key_norms_.largest(place.b, place.h, place.first_key) <= limit_;
  form_narrow(place, narrow);
  if (all_small && !wanted_wide && p.slopes == nullptr && p.dense_bias == nullptr) {
    hide_masked(p, place, narrow);
    return true;
  }
  wide_ = scratch<double>(Scratch::wide_logits, tile_keys * tile_queries);
  if (!all_small) form_large(place, key_norms);
  for (Index j = 0; j < place.keys; ++j) {
    double* const wide = wide_ + j * place.row;
    const float* const row = narrow + j * place.row;
    if (largest_norm_ * key_norms[j] <= limit_)
      for (Index i = 0; i < place.row; ++i) wide[i] = static_cast<double>(row[i]);
    else
      // Columns that no query fills are zero either way.
      for (Index i = 0; i < place.queries; ++i)
        wide[i] = query_norms_[i] * key_norms[j] <= limit_ ? static_cast<double>(row[i]) : wide[i];
  }
  add_biases(p, place, wide_);
  hide_masked(p, place, wide_);
  return false;
}

template class BlockLogits<float>;
template class BlockLogits<double>;

}  // namespace attest::attention
