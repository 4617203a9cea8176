#include "simulations/data/files/splits.hpp"

#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::data {
namespace {

TEST(HoldOut, takes_the_fraction_of_every_class_and_loses_nothing) {
  std::vector<std::int32_t> labels(100, 0);
  std::fill(labels.begin() + 80, labels.end(), 1);
  labels.push_back(2);
  const HeldOut held = hold_out(labels, 0.25, 1);
  const auto of_class = [&](std::int32_t label) {
    return std::count_if(held.validation.begin(), held.validation.end(),
                         [&](std::size_t i) { return labels[i] == label; });
  };
  EXPECT_EQ(of_class(0), 20);
  EXPECT_EQ(of_class(1), 5);
  EXPECT_EQ(of_class(2), 0);  // a class's only example is for training
  std::vector<std::size_t> all = held.train;
  all.insert(all.end(), held.validation.begin(), held.validation.end());
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < labels.size(); ++i) EXPECT_EQ(all.at(i), i);
}

TEST(HoldOut, is_a_function_of_the_seed) {
  EXPECT_EQ(hold_out(50, 0.2, 3).validation, hold_out(50, 0.2, 3).validation);
  EXPECT_NE(hold_out(50, 0.2, 3).validation, hold_out(50, 0.2, 4).validation);
  EXPECT_THROW(hold_out(50, 1.0, 3), std::invalid_argument);
}

}  // namespace
}  // namespace attest::data
