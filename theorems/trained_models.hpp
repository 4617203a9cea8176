// What trained models must show for the statements that await them.
#pragma once

#include <vector>

#include "theorems/engine/runner/trained_runs.hpp"

namespace attest::engine {

/// The questions of all papers. Statements that ask for what no training here gives (annotated objects, values missing
/// in the available text, retrieval models) are not among them and stay undecided.
const std::vector<TrainedQuestion>& trained_questions();

}  // namespace attest::engine
