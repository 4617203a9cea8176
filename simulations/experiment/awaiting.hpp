// simulations/experiments/awaiting.toml: what statements that no check decides would take.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "simulations/experiment/experiment.hpp"

namespace attest::experiment {

/// One statement: an experiment that would speak to it, something that is lacking, or both.
struct Awaiting {
  std::string id;
  std::string experiment;             ///< its file, relative to that of the list; empty: none
  std::string skill;                  ///< the one of a file of skills
  std::vector<std::string> variants;  ///< those that the statement compares; empty: all
  std::string lacks;                  ///< a clause; empty: nothing
};

/// Reads a list of [[statement]]. Errors: std::invalid_argument, "FILE, line N: ..." with the fix, also for a statement
/// without experiment and lacks, or one that comes twice.
std::vector<Awaiting> parse_awaiting(std::string_view text, const std::string& source);

/// The experiment of a statement, with the variants that it compares; `folder` is that of the list.
/// Errors: those of read_experiment; std::invalid_argument for a variant or skill that the file does not have.
Experiment experiment_of(const Awaiting& statement, const std::filesystem::path& folder);

}  // namespace attest::experiment
