// How a model's layers attend and add, as summaries say it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "simulations/models/model_spec.hpp"

namespace attest::outcomes {

using models::ModelSpec;

/// The mechanism's name, or one per layer where layers differ.
nlohmann::ordered_json attention_names(const ModelSpec& model);

/// "standard", "generalised" or "boosting", or one per layer where layers differ.
nlohmann::ordered_json residual_names(const ModelSpec& model);

}  // namespace attest::outcomes
