// The record of the suite: results.json with the papers' titles, of a run or without one.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "theorems/engine/runner/runner.hpp"
#include "theorems/ledger/papers.hpp"

namespace attest::commands {

/// engine::to_json of the run by this version of the program, with `suite.papers`: [{key, title, authors, link}, ...],
/// those of the suite, then `further` ones, in the order in which reports show them.
/// Witnesses name the random variables that are `drawn`, and the command that replays one of a user's own claim the
/// user's file.
nlohmann::ordered_json record_of(const engine::SuiteRun& run, const std::vector<ledger::Paper>& further = {});

/// A record of these statements without results: the verdict is the recorded one, the evidence is empty. `further` as
/// above.
nlohmann::ordered_json record_without_results(const std::vector<const engine::Claim*>& shown,
                                              const std::vector<ledger::Paper>& further = {});

}  // namespace attest::commands
