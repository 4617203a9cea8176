// The drawn graph of what falls with what.
#pragma once

#include <string>

#include "reports/record/dependencies.hpp"

namespace attest::reports::html {

/// One connected part as an inline SVG: statements below each other, each below what it rests on, by their labels (two
/// lines at most), and on their left an arc from each to every statement that rests on it directly, dashed from one
/// that stands by itself. As wide as the column of a small telephone, 360 pixels.
std::string fall_graph_drawing(const FallGraph& graph);

}  // namespace attest::reports::html
