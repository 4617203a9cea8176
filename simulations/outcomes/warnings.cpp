#include "simulations/outcomes/warnings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attest::outcomes {

using nlohmann::ordered_json;

std::string warning_text(const journal::RunWarning& warning) {
  return fmt::format("{}, seed {}, step {}: {}", warning.variant, warning.seed, warning.step, warning.sentence);
}

ordered_json warnings_json(const std::vector<journal::RunWarning>& warnings) {
  ordered_json all = ordered_json::array();
  for (const journal::RunWarning& one : warnings)
    all.push_back({{"variant", one.variant}, {"seed", one.seed}, {"step", one.step}, {"sentence", one.sentence}});
  return all;
}

ordered_json warnings_table(const ordered_json& warnings) {
  ordered_json rows = ordered_json::array();
  for (const ordered_json& one : warnings)
    rows.push_back({one["variant"], fmt::format("{}", one["seed"].get<std::uint64_t>()),
                    fmt::format("{}", one["step"].get<std::int64_t>()), one["sentence"]});
  return {{"caption", "What was seen while the runs trained."},
          {"columns", {"Variant", "Seed", "Step", "Warning"}},
          {"rows", rows}};
}

}  // namespace attest::outcomes
