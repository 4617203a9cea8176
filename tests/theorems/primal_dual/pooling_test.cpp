#include "theorems/primal_dual/pooling.hpp"

#include <gtest/gtest.h>

namespace attest::primal_dual {
namespace {

using Vector = std::vector<double>;

TEST(AveragePooled, means_of_successive_rows_and_the_remainder_over_its_own_count) {
  EXPECT_EQ(average_pooled<double>(Vector{1, 10, 3, 30, 7, 70}, 2, 2), (Vector{2, 20, 7, 70}));
}

TEST(AveragePooled, by_one_changes_nothing) {
  const Vector rows{1, 2, 3, 4};
  EXPECT_EQ(average_pooled<double>(rows, 2, 1), rows);
}

}  // namespace
}  // namespace attest::primal_dual
