// The drawn part of a paper's graph of statements: what is left of a row's words.
#pragma once

#include <string>

#include "reports/record/statement_graph.hpp"

namespace attest::reports::html {

/// How wide the lanes of the graph are together, in pixels, with the gap between them and the marks.
int lanes_width(const StatementGraph& graph);

/// The lanes beside one row, as high as the row: those that pass, a dot on each that the statement rests on with a line
/// from there to its mark, and where its own begins. Lane 0 is next to the mark. Elements carry `data-lane-of`, the
/// row, counted from 0, of the statement that the lane belongs to: names would make most of a long page. Those that
/// pass are one path for each verdict; the drawing's `data-passing` lists them as "ROW:X".
std::string lanes_drawing(const StatementGraph& graph, const GraphRow& row);

}  // namespace attest::reports::html
