#include "simulations/judge/trial/empty_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace attest::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Two queries of which the first sees no key: the diagonal of 2 x 1 ends at the only key.
Problem with_an_empty_row(bool sinks) {
  CaseSpec spec;
  spec.queries = 2, spec.keys = 1;
  spec.causal = true;
  spec.sinks = sinks;
  return problem_of(spec);
}

Outputs accepted(const Problem& problem, bool any, Outputs outputs) {
  TrialSettings settings;
  settings.any_empty_rows = any;
  accept_empty_rows(problem, expected_attention(problem, precision_of(problem.type, Accumulation::widened)), settings,
                    outputs);
  return outputs;
}

TEST(EmptyRows, beside_a_sink_may_have_an_lse_of_minus_infinity) {
  const Problem problem = with_an_empty_row(true);
  EXPECT_EQ(accepted(problem, false, {{"lse", {-infinity, 3}}}).at("lse"), (std::vector{problem.sinks[0], 3.0}));
  EXPECT_EQ(accepted(problem, false, {{"lse", {7, 3}}}).at("lse"), (std::vector{7.0, 3.0}));
}

TEST(EmptyRows, without_a_sink_are_judged_unless_anything_will_do) {
  const Problem problem = with_an_empty_row(false);
  const Outputs given = {{"out", std::vector<double>(8, NAN)}, {"lse", {5, 3}}};
  EXPECT_EQ(accepted(problem, false, given).at("lse"), given.at("lse"));
  const Outputs any = accepted(problem, true, given);
  EXPECT_EQ(any.at("lse"), (std::vector{-infinity, 3.0}));
  EXPECT_EQ(any.at("out")[3], 0);
  EXPECT_TRUE(std::isnan(any.at("out")[4]));
}

TEST(EmptyRows, can_be_left_out_of_the_loss) {
  Problem problem = with_an_empty_row(false);
  problem.dout.assign(2 * static_cast<std::size_t>(problem.value_width), 1);
  problem.dlse = {1, 1};
  leave_out_empty_rows(problem);
  const auto second = problem.dout.begin() + problem.value_width;
  EXPECT_EQ(std::count(problem.dout.begin(), second, 0.0), problem.value_width);
  EXPECT_EQ(std::count(second, problem.dout.end(), 1.0), problem.value_width);
  EXPECT_EQ(problem.dlse, (std::vector{0.0, 1.0}));
}

}  // namespace
}  // namespace attest::judge
