// The tables of the experiments as printed: Tables 1, 2, 5 and 7 to 10.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace attest::primal_dual {

/// Columns of a table, first the baseline.
enum class Column : std::uint8_t { baseline, bn, sh, bn_sh };

/// A table of means over runs, in hundredths of its unit, so that arithmetic on it is exact.
struct PrintedTable {
  std::string_view name;  ///< "Table 1"
  std::string_view benchmark;
  std::vector<std::vector<std::int64_t>> rows;  ///< one a task, in the paper's order
  std::vector<std::int64_t> averages;           ///< the printed last row
  std::vector<std::int64_t> spreads;            ///< what the last row prints after +-
  bool errors = false;                          ///< errors, of which the smaller is the better

  /// Sum of a column's rows.
  std::int64_t total(std::size_t column) const;
};

/// Tables 1, 2, 5, 7, 8, 9, 10 in this order. Table 7's second column is Attention-Conv1D; Tables 5 and 10 compare
/// linear and sparse attention with their variants.
const std::vector<PrintedTable>& printed_tables();

/// The table of that name. Errors: std::invalid_argument.
const PrintedTable& printed_table(std::string_view name);

}  // namespace attest::primal_dual
