#include "simulations/commands/data.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulations/commands/exit_codes.hpp"
#include "simulations/data/describe.hpp"

namespace attest::commands {
namespace {

void print(const nlohmann::json& content, bool as_json, std::string (*lines)(const nlohmann::json&)) {
  fmt::print("{}", as_json ? content.dump(1) + "\n" : lines(content));
}

}  // namespace

int list_data_sets(const std::filesystem::path& data_dir, bool json) {
  print(simulations::list_data(data_dir), json, simulations::list_lines);
  return exit_as_recorded;
}

int describe_data_set(const std::string& name, const std::filesystem::path& data_dir, bool json) {
  print(simulations::describe_data(name, data_dir), json, simulations::describe_lines);
  return exit_as_recorded;
}

}  // namespace attest::commands
