#include "kernels/search/best_points.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace attest::search {
namespace {

TEST(BestPoints, keeps_the_least_in_order_without_copies_or_nan) {
  BestPoints best(2);
  best.add(3, {3});
  best.add(std::nan(""), {0});
  best.add(1, {1});
  best.add(1, {1});
  best.add(2, {2});
  ASSERT_EQ(best.candidates().size(), 2U);
  EXPECT_EQ(best.candidates()[0].point, std::vector<double>{1});
  EXPECT_EQ(best.candidates()[1].point, std::vector<double>{2});
}

TEST(BestPoints, of_several_collections_are_sorted_together) {
  BestPoints first(2), second(2);
  first.add(3, {3});
  first.add(1, {1});
  second.add(1, {-1});
  second.add(2, {2});
  const std::vector<BestPoints> collections = {first, second};
  std::vector<double> points;
  for (const Candidate& candidate : sorted(collections)) points.push_back(candidate.point[0]);
  EXPECT_EQ(points, (std::vector<double>{1, -1, 2, 3}));
}

}  // namespace
}  // namespace attest::search
