// The drawn graph of what falls with what.
#pragma once

#include <string>

#include "reports/record/dependencies.hpp"

namespace attest::reports::html {

/// One connected part as an inline SVG: statements below each other, each below what it rests on, by their labels, and
/// on their left an arc from each to every statement that falls with it directly. Narrow enough for a telephone, and
/// no taller than a printed page allows where the style sheet says so.
std::string fall_graph_drawing(const FallGraph& graph);

}  // namespace attest::reports::html
