// The figure of a sequence that was followed along a grid.
#pragma once

#include <optional>
#include <string>

#include "reports/record/results.hpp"

namespace attest::reports {

/// The sequence of the evidence, or those of its parts in one drawing, when it brings no figure of its own; nothing
/// without a sequence. An axis of positive places is logarithmic, and that of the values of a growth where they are
/// positive; limits stand beside the claimed value, or relative to it when several parts claim different ones. More
/// than six sequences have no names. `name` is the figure's name.
std::optional<Figure> sequence_figure(const Evidence& evidence, const std::string& name);

/// Gives every claim with a sequence its figure, named after the claim.
void add_sequence_figures(Results& results);

}  // namespace attest::reports
