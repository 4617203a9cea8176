// A verb of the command line as data: `attest NAME ...`.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace attest::commands {

/// What the command line chose: runs it and returns the exit code.
using Chosen = std::function<int()>;

/// One verb. `add` gives its options to the parser; when the command line chooses the verb, parsing puts what runs it
/// into `chosen`, which must outlive the parsing.
struct Verb {
  const char* name;
  const char* about;  ///< one clause, for --help
  void (*add)(CLI::App& verb, Chosen& chosen);
};

/// Fresh options that live as long as the parser. When the command line chooses `verb`, `run` is called with them.
template <typename Options, typename Run>
Options& options_for(CLI::App& verb, Chosen& chosen, Run run) {
  const auto options = std::make_shared<Options>();
  verb.callback([options, &chosen, run = std::move(run)] { chosen = [options, run] { return run(*options); }; });
  return *options;
}

/// All verbs, a file each in simulations/commands, in the order of simulations/CMakeLists.txt, which is that of --help.
std::vector<Verb> all_verbs();

/// The options of `attest check`, which the executables check_<family> have too: for the statements of `family` alone,
/// or for all where it is empty.
void add_check(CLI::App& verb, Chosen& chosen, const char* family);

}  // namespace attest::commands
