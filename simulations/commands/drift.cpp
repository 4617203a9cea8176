// attest drift: whether a paper's text file still matches its TeX source.
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/files/whole_file.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/language/papers/draft.hpp"
#include "theorems/language/papers/tex_source.hpp"

namespace attest::commands::definitions {
namespace {

language::PaperFile read_given_paper(const std::string& file) {
  try {
    return language::read_paper_file(file, std::nullopt);
  } catch (const std::runtime_error& failure) {
    throw std::invalid_argument(failure.what());
  }
}

/// Prints the claims of `file` whose source `tex` has moved away from them, and labels that no claim was transcribed
/// from. Returns 1 where a label is gone or its text has changed, else 0. Errors: std::invalid_argument where a file
/// cannot be read.
int drift(const std::string& tex, const std::string& file) {
  if (tex.ends_with(".attest") && !file.ends_with(".attest"))
    throw std::invalid_argument(fmt::format("the TeX source comes first: attest drift {} {}", file, tex));
  const std::string source = files::read_whole(tex);
  const language::PaperFile paper = read_given_paper(file);
  const auto drifts = language::drift_between(source, paper);
  for (const language::Drift& each : drifts)
    fmt::print("{}, line {}: {}: {}\n", file, each.line, each.id, each.sentence);
  const auto missing = language::not_transcribed(source, paper);
  if (!missing.empty()) fmt::print("{}: no claim of {} was transcribed from {}\n", tex, file, fmt::join(missing, ", "));
  if (drifts.empty()) fmt::print("every transcribed claim still has its text in {}\n", tex);
  return drifts.empty() ? terminal::exit_success : terminal::exit_difference;
}

struct DriftOptions {
  std::string tex, paper;
};

void add_drift(CLI::App& verb, Chosen& chosen) {
  auto& o =
      options_for<DriftOptions>(verb, chosen, [](const DriftOptions& given) { return drift(given.tex, given.paper); });
  verb.add_option("source", o.tex, "the paper's TeX source")->required();
  verb.add_option("paper", o.paper, "its text file, PAPER.attest")->required();
  verb.footer(
      "Exit codes: 0 every transcribed claim still has its text; 1 a label is gone or its text has changed; 2 bad "
      "input.");
}

}  // namespace

Verb drift_verb() { return {"drift", "check that the text file still matches the TeX source", add_drift}; }

}  // namespace attest::commands::definitions
