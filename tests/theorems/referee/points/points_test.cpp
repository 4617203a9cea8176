// Points that the search looks at before it draws.
#include "theorems/referee/points/points.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "theorems/language/read.hpp"

namespace attest::referee {
namespace {

std::vector<std::vector<double>> starts_of(const char* text) {
  const language::Program program = language::compile(language::read_statement(text), {});
  return few_against_many(program, bounds_of(program));
}

TEST(Points, AFewEntriesAgainstManyComeInPairsThatAreApartInOneOfTheFew) {
  const auto points = starts_of("forall u, v in [-1, 1]^8: norm(u) <= 3 + norm(v)");
  ASSERT_FALSE(points.empty());
  for (const auto& point : points) {
    const auto few = std::count(point.begin(), point.begin() + 8, 1.0);
    EXPECT_GE(few, 1);
    EXPECT_EQ(std::count(point.begin(), point.begin() + 8, -1.0), 8 - few);
    for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(point[k] != point[8 + k], k == 0) << k;
    EXPECT_TRUE(std::all_of(point.begin(), point.end(), [](double x) { return std::abs(x) <= 1; }));
  }
}

TEST(Points, AFewAgainstManyNeedTwoArraysOfOneKind) {
  EXPECT_TRUE(starts_of("forall u in [-1, 1]^8, x in R: norm(u) <= 3 + x^2").empty());
  EXPECT_TRUE(starts_of("forall u, v in [-1, 1]^2: norm(u) <= 2 + norm(v)").empty());
}

}  // namespace
}  // namespace attest::referee
