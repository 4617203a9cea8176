// A sweep's figures and fits as data.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "simulations/sweeping/export.hpp"

namespace attest::sweeps {

/// Two JSON arrays, in the forms that points_json documents.
struct DrawnSweep {
  nlohmann::ordered_json figures, fits;
};

/// The figures that `spec` asks for, made of the finished points. A figure of results over a parameter has one series a
/// result and value of `by`: estimates as points with intervals, references and fitted laws as dashed curves. Fits
/// leave out points that are not positive; with fewer than three left there is none.
DrawnSweep draw(const Spec& spec, const std::vector<Row>& rows);

}  // namespace attest::sweeps
