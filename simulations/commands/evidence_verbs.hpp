// The verbs by which others check our evidence, on the command line.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace attest::commands {

/// Adds verify, export and repeat to the program; the one that the command line chooses is put into `chosen`, which
/// must outlive the parsing.
void add_evidence_verbs(CLI::App& app, std::function<int()>& chosen);

}  // namespace attest::commands
