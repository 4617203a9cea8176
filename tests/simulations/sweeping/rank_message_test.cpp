#include "simulations/sweeping/rank_message.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::sweeps {
namespace {

using quantities::Outcome;

TEST(RankMessage, keeps_every_result_by_its_name_and_every_bit) {
  PointEnd sent;
  sent.point = 7;
  sent.outcomes = {{"mean", {0.1, {-std::numeric_limits<double>::infinity(), 0x1.fffffffffffffp+1023}}},
                   {"limit", Outcome::exact(-0.0)}};
  const PointEnd received = unpacked_point(packed(sent));
  EXPECT_EQ(received.point, 7U);
  EXPECT_TRUE(received.failure.empty());
  ASSERT_EQ(received.outcomes.size(), 2U);
  EXPECT_EQ(received.outcomes.at("mean").value, 0.1);
  EXPECT_EQ(received.outcomes.at("mean").interval.lower, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(received.outcomes.at("mean").interval.upper, 0x1.fffffffffffffp+1023);
  EXPECT_TRUE(std::signbit(received.outcomes.at("limit").value));
}

TEST(RankMessage, keeps_the_sentence_of_a_failure) {
  PointEnd sent;
  sent.failure = "L = -1: it is a number from 0 to 1000000";
  sent.bad_input = true;
  const PointEnd received = unpacked_point(packed(sent));
  EXPECT_EQ(received.failure, sent.failure);
  EXPECT_TRUE(received.bad_input);
  EXPECT_TRUE(received.outcomes.empty());
}

TEST(RankMessage, is_refused_where_it_is_cut_off) {
  PointEnd sent;
  sent.outcomes = {{"mean", Outcome::exact(1)}};
  const std::string bytes = packed(sent);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(unpacked_point(std::string_view(bytes).substr(0, length)), std::logic_error) << length;
}

}  // namespace
}  // namespace attest::sweeps
