#include "simulations/evaluation/cost_columns.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::evaluation {
namespace {

TEST(CostColumns, are_means_in_units_that_a_reader_knows) {
  journal::Results results;
  put_cost(results, {.parameters = 4321, .step_flops = 2.5e9, .state_bytes = 3145728, .activation_bytes = 524288},
           1.25);
  nlohmann::ordered_json metrics = nlohmann::ordered_json::object();
  for (const auto& [name, value] : results) metrics[name] = {{"mean", value}};
  const auto columns = cost_columns(metrics);
  ASSERT_EQ(columns.size(), 5U);
  EXPECT_EQ(columns[0], nlohmann::ordered_json::parse(R"(["Parameters", "4321"])"));
  EXPECT_EQ(columns[1], nlohmann::ordered_json::parse(R"(["ms per step", "1.25"])"));
  EXPECT_EQ(columns[2][1], "2.5");
  EXPECT_EQ(columns[3][1], "3");
  EXPECT_EQ(columns[4][1], "0.5");
}

TEST(CostColumns, leave_out_what_was_not_measured) {
  EXPECT_TRUE(cost_columns(nlohmann::ordered_json::parse(R"({"test_loss": {"mean": 1.0}})")).empty());
  const auto some = cost_columns(nlohmann::ordered_json::parse(R"({"step_milliseconds": {"mean": 2.0}})"));
  ASSERT_EQ(some.size(), 1U);
  EXPECT_EQ(some[0][1], "2");
}

}  // namespace
}  // namespace attest::evaluation
