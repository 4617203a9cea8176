#include "theorems/primal_dual/printed_tables.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace attest::primal_dual {
namespace {

TEST(PrintedTables, have_an_average_and_a_spread_for_every_column) {
  EXPECT_EQ(printed_tables().size(), 7U);
  for (const PrintedTable& table : printed_tables()) {
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.averages.size()) << table.name;
    EXPECT_EQ(table.spreads.size(), table.averages.size()) << table.name;
  }
}

TEST(PrintedTables, are_found_by_name) {
  EXPECT_EQ(printed_table("Table 9").rows.size(), 15U);
  EXPECT_EQ(printed_table("Table 2").total(0), 29329);
  EXPECT_THROW(printed_table("Table 3"), std::invalid_argument);
}

}  // namespace
}  // namespace attest::primal_dual
