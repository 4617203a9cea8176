// The record of a run of the suite: results.json with the papers' titles.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "theorems/engine/runner/runner.hpp"
#include "theorems/ledger/papers.hpp"

namespace attest::commands {

/// engine::to_json of the run by this version of the program, with `suite.papers`: [{key, title, authors, link}, ...],
/// those of the suite, then `further` ones, in the order in which reports show them.
nlohmann::ordered_json record_of(const engine::SuiteRun& run, const std::vector<ledger::Paper>& further = {});

}  // namespace attest::commands
