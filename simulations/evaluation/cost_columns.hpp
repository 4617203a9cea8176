// What a variant costs, as the columns that stand beside its accuracy.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "simulations/evaluation/training_cost.hpp"
#include "simulations/journal/run_record.hpp"

namespace attest::evaluation {

/// Puts a step's counted cost and measured time into what a run gave.
void put_cost(journal::Results& results, const TrainingCost& cost, double step_milliseconds);

/// What the columns are.
extern const char* const cost_note;

/// A variant's columns, [[title, cell], ...], by its `metrics` of a summary: means over its seeds of what was measured.
nlohmann::ordered_json cost_columns(const nlohmann::ordered_json& metrics);

}  // namespace attest::evaluation
