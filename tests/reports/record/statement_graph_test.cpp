#include "reports/record/statement_graph.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::reports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

Claim claim(std::string id, std::vector<std::string> depends_on, std::optional<std::string> amends = {}) {
  Claim result;
  result.id = std::move(id);
  result.paper = "paper";
  result.depends_on = std::move(depends_on);
  result.amends = std::move(amends);
  return result;
}

StatementGraph graph_of(const Results& results) { return statement_graph(results, "paper"); }

std::vector<std::string> ids(const StatementGraph& graph) {
  std::vector<std::string> result;
  for (const GraphRow& row : graph.rows) result.push_back(row.claim->id);
  return result;
}

/// The statements that a row joins, read from the lanes.
std::vector<std::string> grounds(const GraphRow& row) {
  std::vector<std::string> result;
  for (const std::size_t lane : row.grounds) result.push_back(row.above[lane]->id);
  return result;
}

TEST(StatementGraph, puts_each_statement_below_what_it_rests_on_and_joins_the_lanes_of_that) {
  const Results results{
      {},
      {},
      {claim("last", {"first", "second"}), claim("second", {"first"}), claim("first", {}), claim("own", {}, "last")}};
  const StatementGraph graph = graph_of(results);
  EXPECT_THAT(ids(graph), ElementsAre("first", "second", "last", "own"));
  EXPECT_THAT(grounds(graph.rows[1]), ElementsAre("first"));
  EXPECT_THAT(grounds(graph.rows[2]), UnorderedElementsAre("first", "second"));
  EXPECT_THAT(grounds(graph.rows[3]), ElementsAre("last"));
  EXPECT_EQ(graph.lanes, 2U);
}

TEST(StatementGraph, gives_a_lane_to_another_statement_only_after_its_last_use) {
  Results results;
  for (int i = 0; i < 60; ++i) {
    std::vector<std::string> on;
    for (int j = 0; j < i; ++j)
      if ((i * 31 + j * 17) % 23 == 0) on.push_back(std::to_string(j));
    results.claims.push_back(claim(std::to_string(i), on));
  }
  const StatementGraph graph = graph_of(results);
  ASSERT_EQ(graph.rows.size() + graph.isolated.size(), 60U);
  std::vector<const Claim*> open;
  for (const GraphRow& row : graph.rows) {
    EXPECT_EQ(row.above, open) << "a lane changes only at a row's mark";
    EXPECT_THAT(grounds(row), testing::UnorderedElementsAreArray(row.claim->depends_on));
    if (row.lane) {
      EXPECT_EQ(row.below[*row.lane], row.claim);
      const bool taken = *row.lane < row.above.size() && row.above[*row.lane] != nullptr;
      const bool ends_here = std::find(row.grounds.begin(), row.grounds.end(), *row.lane) != row.grounds.end();
      EXPECT_TRUE(!taken || ends_here) << row.claim->id << " takes a lane that is still in use";
    }
    open = row.below;
  }
  EXPECT_EQ(std::count(open.begin(), open.end(), nullptr), static_cast<std::ptrdiff_t>(open.size()));
}

TEST(StatementGraph, leaves_out_the_edge_that_closes_a_cycle_and_names_outside_of_the_paper) {
  const Results results{
      {}, {}, {claim("a", {"b", "elsewhere/x"}), claim("b", {"a"}), claim("alone", {"elsewhere/x", "alone"})}};
  const StatementGraph graph = graph_of(results);
  EXPECT_THAT(ids(graph), ElementsAre("a", "b"));
  EXPECT_THAT(graph.rows[0].grounds, IsEmpty());
  EXPECT_THAT(grounds(graph.rows[1]), ElementsAre("a"));
  ASSERT_EQ(graph.isolated.size(), 1U);
  EXPECT_EQ(graph.isolated[0]->id, "alone");
}

TEST(StatementGraph, of_another_paper_is_empty) {
  const Results results{{}, {}, {claim("a", {}), claim("b", {"a"})}};
  EXPECT_THAT(statement_graph(results, "other").rows, IsEmpty());
}

}  // namespace
}  // namespace attest::reports
