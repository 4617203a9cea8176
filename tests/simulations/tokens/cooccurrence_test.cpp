#include "simulations/tokens/cooccurrence.hpp"

#include <cmath>
#include <map>
#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::tokens {
namespace {

std::map<std::pair<int, int>, double> as_map(const std::vector<Entry>& entries) {
  std::map<std::pair<int, int>, double> result;
  for (const Entry& entry : entries) result[{entry.row, entry.column}] = entry.value;
  return result;
}

TEST(PositiveMutualInformation, is_the_formula_on_a_text_counted_by_hand) {
  // Neighbours in 0 1 0 2: pairs (0,1) twice and (0,2) once in either order; n = 6, n_0 = 3, n_1 = 2, n_2 = 1.
  const std::vector<std::int32_t> text = {0, 1, 0, 2};
  const auto entries = as_map(positive_mutual_information(text, 3, 1));
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_DOUBLE_EQ(entries.at({0, 1}), std::log(2.0 * 6 / (3 * 2)));
  EXPECT_DOUBLE_EQ(entries.at({0, 2}), std::log(1.0 * 6 / (3 * 1)));
  EXPECT_EQ(entries.at({1, 0}), entries.at({0, 1}));
  EXPECT_EQ(entries.at({2, 0}), entries.at({0, 2}));
}

TEST(PositiveMutualInformation, counts_to_the_edge_of_the_window_and_a_word_beside_itself_twice) {
  // Within 2 of each other in 0 1 2: all three pairs once; every n_i = 2, n = 6, so log(6/4) each.
  const std::vector<std::int32_t> text = {0, 1, 2};
  for (const Entry& entry : positive_mutual_information(text, 3, 2)) EXPECT_DOUBLE_EQ(entry.value, std::log(1.5));
  EXPECT_EQ(positive_mutual_information(text, 3, 2).size(), 6U);
  // 0 0 1 1: n_00 = n_11 = 2, n_01 = n_10 = 1, n_0 = n_1 = 3, n = 6; log(6/9) is negative and left out.
  const auto pairs = as_map(positive_mutual_information(std::vector<std::int32_t>{0, 0, 1, 1}, 2, 1));
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_DOUBLE_EQ(pairs.at({0, 0}), std::log(12.0 / 9));
  EXPECT_DOUBLE_EQ(pairs.at({1, 1}), std::log(12.0 / 9));
}

TEST(PositiveMutualInformation, refuses_an_empty_window_and_words_outside_the_vocabulary) {
  const std::vector<std::int32_t> text = {0, 3};
  EXPECT_THROW(positive_mutual_information(text, 3, 1), std::invalid_argument);
  EXPECT_THROW(positive_mutual_information(text, 4, 0), std::invalid_argument);
  EXPECT_THROW(positive_mutual_information(std::vector<std::int32_t>{-1}, 4, 1), std::invalid_argument);
}

}  // namespace
}  // namespace attest::tokens
