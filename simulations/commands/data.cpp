#include "simulations/commands/data.hpp"

#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulations/commands/exit_codes.hpp"
#include "simulations/data/describe.hpp"

namespace attest::commands {
namespace {

struct DataOptions {
  std::string name;
  std::filesystem::path data_dir;
  bool json = false;
};

void print(const nlohmann::json& content, bool as_json, std::string (*lines)(const nlohmann::json&)) {
  fmt::print("{}", as_json ? content.dump(1) + "\n" : lines(content));
}

}  // namespace

void add_data(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<DataOptions>();
  app.require_subcommand(1);
  CLI::App* list = app.add_subcommand("list", "the data sets known by name, and whether they are there");
  CLI::App* describe = app.add_subcommand("describe", "what a data set or file holds");
  describe->add_option("name", options->name, "a data set's name or a file")->required();
  for (CLI::App* verb : {list, describe}) {
    verb->add_option("--data-dir", options->data_dir, "where data sets are looked for first");
    verb->add_flag("--json", options->json, "machine-readable");
  }
  list->callback([options, &exit_code] {
    print(simulations::list_data(options->data_dir), options->json, simulations::list_lines);
    exit_code = exit_as_recorded;
  });
  describe->callback([options, &exit_code] {
    print(simulations::describe_data(options->name, options->data_dir), options->json, simulations::describe_lines);
    exit_code = exit_as_recorded;
  });
}

}  // namespace attest::commands
