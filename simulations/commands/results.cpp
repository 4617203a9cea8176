#include "simulations/commands/results.hpp"

#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/files/atomic_file.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/outcomes/shipped_result.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands {
namespace {

namespace fs = std::filesystem;

void add(const ResultsOptions& options) {
  const fs::path file = options.add / "summary.json";
  nlohmann::ordered_json summary;
  try {
    summary = nlohmann::ordered_json::parse(reports::read_whole_file(file));
  } catch (const nlohmann::ordered_json::exception& failure) {
    throw std::invalid_argument(fmt::format("{} is not valid JSON: {}", file.string(), failure.what()));
  }
  std::string name = options.name;
  if (name.empty() && summary.contains("experiment")) name = summary["experiment"].get<std::string>();
  if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
    throw std::invalid_argument(
        fmt::format("--name \"{}\": a result's name names a file: give one of small letters, digits and -", name));
  const auto result = outcomes::shipped_from_summary(summary, name, file.string());
  reports::write_file_atomically(options.folder / (name + ".json"), outcomes::shipped_text(result));
}

}  // namespace

int results(const ResultsOptions& options) {
  if (!fs::is_directory(options.folder))
    throw std::invalid_argument(
        fmt::format("{} is not a directory: name the folder of results, such as "
                    "simulations/results",
                    options.folder.string()));
  if (!options.add.empty()) add(options);
  const auto all = outcomes::read_shipped_folder(options.folder);
  for (const outcomes::ShippedResult& one : all)
    fmt::print("{}: {}, {}, {}, commit {}\n", one.name, one.title, reports::counted(one.seeds, "paired seed"),
               one.provenance.date, one.provenance.commit.substr(0, 12));
  const fs::path page = options.folder / "README.md";
  const std::string text = outcomes::shipped_page(all);
  if (!options.check) {
    reports::write_file_atomically(page, text);
    fmt::print("page: {}\n", page.string());
    return terminal::exit_success;
  }
  if (fs::exists(page) && reports::read_whole_file(page) == text) return terminal::exit_success;
  fmt::print("{} is not the page of these results; write it again by attest results\n", page.string());
  return terminal::exit_difference;
}

}  // namespace attest::commands
