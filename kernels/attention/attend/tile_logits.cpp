#include "kernels/attention/attend/tile_logits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/attention/attend/dropout.hpp"

namespace attest::attention {
namespace {

// logit -= slope |i - j|.
void add_slope(double slope, const TilePlace& tile, double* logits) {
  for (Index j = 0; j < tile.keys; ++j) {
    double* const row = logits + j * tile.row;
    const auto ahead = static_cast<std::int32_t>(tile.first_query - tile.first_key - j);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(tile.queries); ++i) row[i] -= slope * std::abs(ahead + i);
  }
}

// What is stored by query is read along its rows; the tile stays in the first-level cache.
template <typename Entry, typename Logit, typename Change>
void for_each_stored(const Entry* array, Index keys, const TilePlace& tile, Logit* logits, Change change) {
  for (Index i = 0; i < tile.queries; ++i) {
    const Entry* const row = array + (tile.first_query + i) * keys + tile.first_key;
    for (Index j = 0; j < tile.keys; ++j) change(logits[j * tile.row + i], row[j]);
  }
}

template <typename Logit>
void hide_outside(const Band& band, const TilePlace& tile, Logit* logits) {
  constexpr Logit minus_infinity = -std::numeric_limits<Logit>::infinity();
  for (Index j = 0; j < tile.keys; ++j) {
    Logit* const row = logits + j * tile.row;
    const Index own = tile.first_key + j - tile.first_query;  // the query whose diagonal key this is
    if (band.before >= 0)
      for (Index i = std::clamp<Index>(own + band.before + 1, 0, tile.queries); i < tile.queries; ++i)
        row[i] = minus_infinity;
    if (band.after >= 0) std::fill_n(row, std::clamp<Index>(own - band.after, 0, tile.queries), minus_infinity);
    if (!band.itself && own >= 0 && own < tile.queries) row[own] = minus_infinity;
  }
}

}  // namespace

template <typename T>
void add_biases(const AttendProblem<T>& problem, const TilePlace& tile, double* logits) {
  if (problem.slopes != nullptr) add_slope(problem.slopes[tile.h], tile, logits);
  if (problem.dense_bias != nullptr)
    for_each_stored(problem.dense_bias + tile.h * problem.queries * problem.keys, problem.keys, tile, logits,
                    [](double& logit, T bias) { logit += bias; });
}

template <typename T, typename Logit>
void hide_masked(const AttendProblem<T>& problem, const TilePlace& tile, Logit* logits) {
  constexpr Logit minus_infinity = -std::numeric_limits<Logit>::infinity();
  if (problem.mask.visible != nullptr)
    for_each_stored(problem.mask.visible, problem.keys, tile, logits, [](Logit& logit, std::uint8_t visible) {
      if (visible == 0) logit = minus_infinity;
    });
  if (problem.mask.causal && tile.first_key + tile.keys - 1 > tile.first_query)
    for (Index j = 0; j < tile.keys; ++j) {
      const Index blind = std::clamp<Index>(tile.first_key + j - tile.first_query, 0, tile.queries);
      std::fill_n(logits + j * tile.row, blind, minus_infinity);
    }
  hide_outside(problem.band, tile, logits);
}

template <typename T>
void dropout_factors(const AttendProblem<T>& problem, const TilePlace& tile, T* factors) {
  const std::uint32_t threshold = dropout_threshold(problem.dropout.rate);
  const T kept = 1 / (1 - static_cast<T>(problem.dropout.rate));
  std::fill_n(factors, tile.keys * tile.row, T(0));
  for (Index i = 0; i < tile.queries; ++i)
    for (Index j = 0; j < tile.keys; j += 4) {
      const auto words =
          dropout_words(problem.dropout.seed, tile.b, tile.h, tile.first_query + i, (tile.first_key + j) / 4);
      for (Index word = 0; word < std::min<Index>(4, tile.keys - j); ++word)
        if (words.v[word] >= threshold) factors[(j + word) * tile.row + i] = kept;
    }
}

template <typename T>
void multiply_entries(const TilePlace& tile, T* a, const T* b) {
  for (Index entry = 0; entry < tile.keys * tile.row; ++entry) a[entry] *= b[entry];
}

template void hide_masked(const AttendProblem<float>&, const TilePlace&, float*);
#define ATTEST_INSTANTIATE(T)                                                    \
  template void add_biases(const AttendProblem<T>&, const TilePlace&, double*);  \
  template void hide_masked(const AttendProblem<T>&, const TilePlace&, double*); \
  template void dropout_factors(const AttendProblem<T>&, const TilePlace&, T*);  \
  template void multiply_entries(const TilePlace&, T*, const T*);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
#undef ATTEST_INSTANTIATE

}  // namespace attest::attention
