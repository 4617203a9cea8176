#include "simulations/command/statements/judged_text.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "simulations/terminal/exit_codes.hpp"
#include "theorems/language/problem.hpp"

namespace attest::commands {

referee::Outcome judge_text(const std::string& text, const referee::JudgeOptions& options, const std::string& file) {
  try {
    return referee::judge(text, options);
  } catch (const language::Problem& problem) {
    throw std::invalid_argument(file.empty() ? problem.what() : fmt::format("{}: {}", file, problem.what()));
  }
}

int exit_of(const referee::Outcome& outcome) {
  if (outcome.stands()) return terminal::exit_success;
  return outcome.verdict == engine::Verdict::refuted ? terminal::exit_difference : terminal::exit_undecided;
}

}  // namespace attest::commands
