// The tables of what [evaluation] asked for.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "simulations/experiment/experiment.hpp"

namespace attest::outcomes {

using experiment::Experiment;

/// Attacks with their own strength check, swapped words, and cost: [{caption, columns, rows}], each with a row a
/// variant. `summary` is that of `summarise`; what it has no metrics of is left out.
nlohmann::ordered_json evaluation_tables(const Experiment& experiment, const nlohmann::ordered_json& summary);

}  // namespace attest::outcomes
