#include "theorems/twicing/small_attention.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace attest::twicing {
namespace {

using rigor::Ball;

const std::vector<double> queries{0.5, -1, 2, 0.25, 0, 1};
const std::vector<double> keys{1, 1, -0.5, 0.75, 0.3, -2};
const std::vector<double> values{1, -2, 0.5};

TEST(SmallAttention, of_equal_keys_is_the_mean) {
  const std::vector<double> equal{1, 2, 1, 2, 1, 2};
  for (const double entry : attention_matrix(queries, equal, 2, 1.5)) EXPECT_DOUBLE_EQ(entry, 1.0 / 3);
}

TEST(SmallAttention, in_balls_encloses_the_doubles) {
  const auto a = attention_matrix(queries, keys, 2, 1.5);
  const auto balls = attention_matrix(queries, keys, 2, Ball(1.5));
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], balls.entries[i].mid(), 1e-15);
  const auto twice = twiced(a, values);
  const auto enclosed = twiced(balls, rigor::to_balls(values));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(twice[i], enclosed[i].mid(), 1e-15);
}

TEST(SmallAttention, twicing_matrix_has_rows_that_sum_to_one) {
  const auto matrix = twicing_matrix(attention_matrix(queries, keys, 2, Ball(1.5)));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(rigor::sum(matrix.row(i)).contains(1.0));
}

TEST(SmallAttention, degrees_make_the_matrix_of_equal_queries_and_keys_symmetric) {
  const auto a = attention_matrix(keys, keys, 2, 1.5);
  const auto d = degrees(keys, keys, 2, 1.5);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(d[i] * a[i * 3 + j], d[j] * a[j * 3 + i], 1e-13);
  }
}

}  // namespace
}  // namespace attest::twicing
