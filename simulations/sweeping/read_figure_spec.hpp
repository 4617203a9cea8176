// One figure of a sweep's file.
#pragma once

#include "simulations/spec/toml_place.hpp"
#include "simulations/sweeping/spec.hpp"

namespace attest::sweeps {

/// The figure at `place`, checked against the quantity and the axes of `spec`, which are complete; unnamed ones are
/// called after the sweep and their number. Errors: std::invalid_argument with file, line and fix.
FigureSpec read_figure_spec(const Spec& spec, spec::TomlPlace& place);

}  // namespace attest::sweeps
