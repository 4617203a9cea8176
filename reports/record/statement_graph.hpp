// The whole of a paper's statements as a drawing of lanes: every statement on a row below what it rests on.
#pragma once

#include <optional>
#include <vector>

#include "reports/record/results.hpp"

namespace attest::reports {

/// A statement and the lanes beside it. A lane belongs to one statement from its own row to the last row that rests on
/// it, then is free for another. Points into the results it was computed from.
struct GraphRow {
  const Claim* claim = nullptr;
  std::vector<const Claim*> above = {};   ///< whose each lane is where the row begins; nullptr for a free one
  std::vector<const Claim*> below = {};   ///< and where it ends
  std::vector<std::size_t> grounds = {};  ///< lanes of the statements that it rests on or amends, ascending
  std::optional<std::size_t> lane = {};   ///< its own, when a later row rests on it
};

/// The rows of one paper: each statement once, after those that it rests on or amends (`depends_on`, `amends`; names of
/// statements outside of the paper or of the document are passed over). Of those that could come next the one that
/// leaves the fewest lanes open, then the one that belongs to the latest row, then the first in the document; one that
/// rests on nothing only when no other can come. Edges that close a cycle are left out. `isolated` have no edge;
/// document order.
struct StatementGraph {
  std::vector<GraphRow> rows;
  std::vector<const Claim*> isolated;
  std::size_t lanes = 0;  ///< the most that any row has
};

StatementGraph statement_graph(const Results& results, const std::string& paper);

}  // namespace attest::reports
