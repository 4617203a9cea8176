// The figure of a sequence that was followed along a grid.
#pragma once

#include <optional>
#include <string>

#include "reports/results.hpp"

namespace attest::reports {

/// The ratio along the grid, for evidence that has one and brings no figure of its own; nothing otherwise. A limit is
/// drawn with the claimed value beside it, a growth on logarithmic axes. `name` is the figure's name.
std::optional<Figure> sequence_figure(const Evidence& evidence, const std::string& name);

/// Gives every sequence of the document, those in parts of claims included, its figure, named after its claim.
void add_sequence_figures(Results& results);

}  // namespace attest::reports
