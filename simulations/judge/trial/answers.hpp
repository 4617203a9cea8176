// Reading answers: what is not an answer at all becomes a failure here.
#pragma once

#include <optional>

#include "simulations/judge/trial/trial.hpp"

namespace attest::judge {

/// The outputs of an answer as numbers, those among out, lse, dq, dk, dv and dbias.
using Outputs = std::map<std::string, std::vector<double>>;

/// Calls the target and reads its answer; failures (an error, a crash, a wrong shape or type, an input written to) are
/// put into the record. Empty when nothing can be judged.
std::optional<Outputs> outputs_of(const Request& request, const Problem& problem, Target& target,
                                  const TrialSettings& settings, Record& record);

}  // namespace attest::judge
