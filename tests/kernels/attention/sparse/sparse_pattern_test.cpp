#include "kernels/attention/sparse/sparse_pattern.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace attest::attention {
namespace {

/// The pattern of a predicate.
template <typename Sees>
SparsePattern pattern_by(Index queries, Index keys, Sees sees) {
  SparsePattern pattern;
  for (Index i = 0; i < queries; ++i) {
    for (Index j = 0; j < keys; ++j)
      if (sees(i, j)) pattern.columns.push_back(j);
    pattern.starts.push_back(pattern.pairs());
  }
  return pattern;
}

void expect_same(const SparsePattern& a, const SparsePattern& b) {
  EXPECT_EQ(a.starts, b.starts);
  EXPECT_EQ(a.columns, b.columns);
}

TEST(SparsePattern, strided_shows_the_last_tokens_and_every_stride_th) {
  for (const Index stride : {1, 2, 3, 5, 40})
    for (const bool causal : {false, true})
      expect_same(strided_pattern(13, 17, stride, causal), pattern_by(13, 17, [&](Index i, Index j) {
                    return (!causal || j <= i) && (std::abs(i - j) <= stride || (i - j) % stride == 0);
                  }));
}

TEST(SparsePattern, fixed_shows_the_own_block_and_the_ends_of_all_blocks) {
  for (const Index stride : {1, 3, 4, 40})
    for (Index summary = 1; summary <= std::min<Index>(stride, 3); ++summary)
      for (const bool causal : {false, true})
        expect_same(fixed_pattern(13, 17, stride, summary, causal), pattern_by(13, 17, [&](Index i, Index j) {
                      return (!causal || j <= i) && (i / stride == j / stride || j % stride >= stride - summary);
                    }));
}

TEST(SparsePattern, of_stride_the_root_of_n_has_order_n_to_the_power_three_halves_pairs) {
  const double small = static_cast<double>(strided_pattern(1024, 1024, 32, true).pairs());
  const double large = static_cast<double>(strided_pattern(4096, 4096, 64, true).pairs());
  // 4^(3/2), up to the pairs that are missing near the start: one in sqrt N.
  EXPECT_NEAR(large / small, 8, 8 * (1.0 / 32 - 1.0 / 64));
}

TEST(SparsePattern, masks_cut_and_pooling_keeps_windows_with_a_visible_key) {
  std::vector<std::uint8_t> visible;
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 7; ++j) visible.push_back((i + j) % 3 == 0);
  const auto shown = [&](Index i, Index j) { return visible[static_cast<std::size_t>(i * 7 + j)] != 0; };
  expect_same(mask_pattern(5, 7, visible, false), pattern_by(5, 7, shown));
  expect_same(mask_pattern(5, 7, visible, true),
              pattern_by(5, 7, [&](Index i, Index j) { return j <= i && shown(i, j); }));
  const SparsePattern all = pattern_by(5, 7, [](Index, Index) { return true; });
  expect_same(intersection(all, 7, visible), pattern_by(5, 7, shown));
  expect_same(pooled_pattern(mask_pattern(5, 7, visible, false), 2, 4, 6), pattern_by(5, 4, [&](Index i, Index w) {
                return (2 * w < 6 && shown(i, 2 * w)) || (2 * w + 1 < 6 && shown(i, 2 * w + 1));
              }));
}

TEST(SparsePattern, refuses_strides_and_summaries_out_of_range) {
  EXPECT_THROW(strided_pattern(4, 4, 0, true), std::invalid_argument);
  EXPECT_THROW(fixed_pattern(4, 4, 2, 0, true), std::invalid_argument);
  EXPECT_THROW(fixed_pattern(4, 4, 2, 3, true), std::invalid_argument);
}

}  // namespace
}  // namespace attest::attention
