// Comparisons of the columns of a printed table with its baseline, all exact or in ball arithmetic.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "theorems/engine/claim.hpp"
#include "theorems/primal_dual/printed_tables.hpp"

namespace attest::primal_dual {

/// The check that a column is better than the baseline by more than `least` hundredths on every task.
engine::Check better_on_every_task(std::string_view table, Column column, double least = 0);

/// The check that the number of tasks on which the column is better (ties not counted) is `expected`; with 0, that it
/// is more than half of them.
engine::Check better_on(std::string_view table, Column column, std::int64_t expected = 0);

/// The check that the mean of the printed rows is better than the baseline's by more than `least` hundredths, for each
/// of these columns.
engine::Check better_on_average(std::string_view table, std::vector<Column> columns, double least = 0);

/// The check that a column has the best mean of the printed rows of all columns, by more than `least` hundredths.
engine::Check best_on_average(std::string_view table, Column column, double least = 0);

/// The 95 percent points of Student's t for the fewest and the most degrees of freedom that a Welch test of five runs
/// against five can have, 4 and 8: above the first (rounded up) a difference is significant at the one-sided level of
/// five percent whatever the spreads, below the second (rounded down) it is not.
inline constexpr double surely_significant = 2.132;
inline constexpr double least_significant = 1.859;

/// The same point for the two degrees of freedom that a Welch test of three runs against three has at least, rounded
/// up.
inline constexpr double surely_significant_of_three = 2.92;

/// Two printed means of five runs: how much better the second is, and both spreads, in hundredths.
struct Comparison {
  double advantage, spread, other_spread;
};

/// "Our results are averaged over 5 runs" (Section 3).
inline constexpr double stated_runs = 5;

/// The check that Welch's t = advantage / sqrt((spread^2 + other_spread^2) / runs) stands in `relation` to t for all
/// comparisons.
engine::Check welch(std::string domain, std::vector<Comparison> comparisons, engine::Relation relation, double t,
                    double runs = stated_runs);

/// The same for the printed averages of columns of a table against the baseline's.
engine::Check welch(std::string_view table, const std::vector<Column>& columns, engine::Relation relation, double t,
                    double runs = stated_runs);

}  // namespace attest::primal_dual
