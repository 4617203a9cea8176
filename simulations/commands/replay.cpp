#include "simulations/commands/replay.hpp"

#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/files/atomic_file.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/runner.hpp"
#include "theorems/engine/witness_file.hpp"

namespace attest::commands {
namespace {

/// Refuses what cannot be a witness before its keys are looked at.
void require_json(const std::filesystem::path& file) {
  if (std::filesystem::is_directory(file))
    throw std::invalid_argument(fmt::format("{} is a directory: name a witness in it, such as {}", file.string(),
                                            (file / "witnesses" / "ID.json").string()));
  if (std::filesystem::exists(file) && !nlohmann::json::accept(reports::read_whole_file(file)))
    throw std::invalid_argument(fmt::format(
        "{} is not a witness: it is not JSON; name a file of a run's witnesses/ as it was written", file.string()));
}

}  // namespace

int replay(const std::string& file, std::uint64_t fresh_seed) {
  // Reports print paths relative to the run's directory, so that they do not depend on it; by default that is out/.
  const std::string in_default_run = (std::filesystem::path("out") / file).string();
  const bool relative_to_run = !std::filesystem::exists(file) && std::filesystem::exists(in_default_run);
  require_json(relative_to_run ? in_default_run : file);
  const engine::Witness witness = engine::read_witness(relative_to_run ? in_default_run : file);
  const engine::Replay result = engine::replay(witness, fresh_seed);
  const engine::Claim& claim = engine::find_claim(witness.claim);
  fmt::print("{}  [{}] {}\n", witness.claim, claim.statement.label, claim.statement.title);
  if (witness.variant != "printed") fmt::print("near-miss: {}\n", witness.variant);
  if (!witness.part.empty()) fmt::print("part: {}\n", witness.part);
  for (const auto& [name, values] : witness.inputs.entries()) {
    fmt::print("  {} =", name);
    for (const double value : values) fmt::print(" {}", value);
    fmt::print("\n");
  }
  fmt::print("left side   {}\nclaimed     {}\nright side  {}\nmargin      {}\n", result.lhs,
             engine::symbol(result.relation), result.rhs, result.margin);
  if (result.precision_bits > 0) fmt::print("precision   {} bits\n", result.precision_bits);
  fmt::print("assumptions {}\n{}\n", result.assumptions_hold ? "hold" : "do not certainly hold", result.how);
  fmt::print("{}\n", result.confirmed ? "confirmed" : "not confirmed");
  return result.confirmed ? exit_as_recorded : exit_unexpected;
}

}  // namespace attest::commands
