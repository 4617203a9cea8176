// The general path beside the tiles: the same results where both know the options, the same bits for any number of
// threads where the tiles do not.
#include "kernels/attention/attend/attend_rows.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "kernels/attention/attend/key_range.hpp"
#include "tests/kernels/attention/attend/attend_problems.hpp"

namespace attest::attention {
namespace {

template <typename T>
class AttendRows : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(AttendRows, Precisions);

template <typename T>
double error(const Tensor<T>& found, const Tensor<T>& expected) {
  return relative_error(found, converted<double>(expected));
}

TYPED_TEST(AttendRows, agree_with_the_tiles_under_every_option_that_both_know) {
  using Window = std::pair<Index, Index>;
  for (const Extents& e : {Extents{2, 3, 12, 12, 4, 5}, Extents{2, 2, 70, 90, 16, 16}, Extents{1, 1, 140, 75, 32, 32},
                           Extents{1, 2, 75, 300, 16, 8}})
    for (const auto& [everything, window] :
         {std::pair{false, Window{-1, -1}}, std::pair{true, Window{-1, -1}}, std::pair{false, Window{0, 3}},
          std::pair{false, Window{70, -1}}, std::pair{false, Window{-1, 20}}, std::pair{true, Window{20, 40}}}) {
      auto p = random_problem<TypeParam>(e, 31);
      if (everything) turn_everything_on(p, 32);
      p.options.mask.window_left = window.first;
      p.options.mask.window_right = window.second;
      ASSERT_TRUE(runs_in_tiles(p.q.shape(), p.k.shape(), p.options));
      const Tensor<TypeParam> dlse = random_array<TypeParam>({e.batch, e.heads, e.queries}, 33);
      const auto by_tiles = attend(p.q, p.k, p.v, p.options), by_rows = attend_rows(p.q, p.k, p.v, p.options);
      constexpr double within = 2 * stated_error<TypeParam>;  // each is off by the stated error at most
      EXPECT_LE(error(by_rows.out, by_tiles.out), within);
      for (Index i = 0; i < dlse.size(); ++i) {
        const auto a = static_cast<double>(log_sum_exp(by_rows).data()[i]),
                   b = static_cast<double>(log_sum_exp(by_tiles).data()[i]);
        EXPECT_TRUE(a == b || std::abs(a - b) <= within * std::max(1.0, std::abs(b))) << a << " " << b;
      }
      const auto of_tiles = attend_backward(p.q, p.k, p.v, p.options, by_tiles, p.dout, &dlse);
      const auto of_rows = attend_rows_backward(p.q, p.k, p.v, p.options, p.dout, &dlse);
      EXPECT_LE(error(of_rows.q, of_tiles.q), within);
      EXPECT_LE(error(of_rows.k, of_tiles.k), within);
      EXPECT_LE(error(of_rows.v, of_tiles.v), within);
      if (everything) {
        EXPECT_LE(error(of_rows.bias, of_tiles.bias), within);
      }
    }
}

TYPED_TEST(AttendRows, have_the_same_bits_for_any_number_of_threads) {
  auto p = random_problem<TypeParam>({2, 4, 50, 70, 8, 6}, 41);
  turn_everything_on(p, 42);
  p.k = random_array<TypeParam>({2, 2, 70, 8}, 43);
  p.v = random_array<TypeParam>({2, 2, 70, 6}, 44);
  p.options.sinks.assign(4, TypeParam(0.5));
  p.options.softcap = 2;
  p.options.threads = 1;
  const auto alone = attend(p.q, p.k, p.v, p.options);
  const auto of_alone = attend_backward(p.q, p.k, p.v, p.options, alone, p.dout);
  for (const unsigned threads : {2U, 5U}) {
    p.options.threads = threads;
    const auto together = attend(p.q, p.k, p.v, p.options);
    const auto of_together = attend_backward(p.q, p.k, p.v, p.options, together, p.dout);
    EXPECT_EQ(together.out, alone.out);
    EXPECT_EQ(of_together.q, of_alone.q);
    EXPECT_EQ(of_together.k, of_alone.k);
    EXPECT_EQ(of_together.v, of_alone.v);
    EXPECT_EQ(of_together.bias, of_alone.bias);
    EXPECT_EQ(of_together.sinks, of_alone.sinks);
    EXPECT_EQ(of_together.slopes, of_alone.slopes);
  }
}

TEST(KeyRange, is_cut_by_every_condition) {
  Mask mask;
  const auto range = [&](Index i) {
    const KeyRange found = key_range(mask, 0, i, 4, 7);
    return std::pair(found.first, found.last);
  };
  EXPECT_EQ(range(2), std::pair(Index{0}, Index{7}));
  mask.causal = true;
  EXPECT_EQ(range(2), std::pair(Index{0}, Index{3}));
  mask.alignment = Alignment::bottom_right;
  EXPECT_EQ(range(2), std::pair(Index{0}, Index{6}));
  mask.window_left = 1;
  EXPECT_EQ(range(2), std::pair(Index{4}, Index{6}));
  mask.key_lengths = {5};
  EXPECT_EQ(range(2), std::pair(Index{4}, Index{5}));
  mask = {.window_left = std::numeric_limits<Index>::max(), .window_right = std::numeric_limits<Index>::max()};
  EXPECT_EQ(range(2), std::pair(Index{0}, Index{7}));
}

TEST(AttendRefuses, what_is_out_of_range_by_a_sentence_that_names_it) {
  const auto p = random_problem<double>({1, 4, 3, 5, 2, 2}, 51);
  const auto message = [&](const AttendOptions<double>& options) -> std::string {
    try {
      attend(p.q, p.k, p.v, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message({.softcap = -1}), "attend: softcap is -1, but must be 0 (none) or a positive number");
  EXPECT_EQ(message({.sinks = {1, 2}}), "attend: sinks has shape [2], but [4] fits the other arguments");
  EXPECT_NE(message({.mask = {.window_left = -2}}).find("window"), std::string::npos);
  EXPECT_NE(message({.mask = {.query_starts = {0, 3}, .key_starts = {0, 4}}}).find("key_starts"), std::string::npos);
  EXPECT_NE(message({.mask = {.query_starts = {0, 3}}}).find("key_starts"), std::string::npos);
  EXPECT_NE(message({.device = Device::cuda, .softcap = 1}).find("processor"), std::string::npos);
  EXPECT_EQ(message({.bias = {.dense = Tensor<double>({1, 2, 3, 5})}}),
            "attend: bias has shape [1][2][3][5], but [1][4][3][5] fits the other arguments");
}

}  // namespace
}  // namespace attest::attention
