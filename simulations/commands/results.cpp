// attest results: the results that ship, checked, and the page that shows them.
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/files/whole_file.hpp"
#include "kernels/names/plain_reason.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/outcomes/shipped_result.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands::definitions {
namespace {

struct ResultsOptions {
  std::filesystem::path folder = "simulations/results";
  std::filesystem::path add;  ///< a folder of attest train whose summary is added; empty: none
  std::string name;           ///< of the result that is added; empty: the experiment's
  bool check = false;         ///< write nothing; exit 1 where the page is not that of the files
};

namespace fs = std::filesystem;

void add(const ResultsOptions& options) {
  const fs::path file = options.add / "summary.json";
  nlohmann::ordered_json summary;
  try {
    summary = nlohmann::ordered_json::parse(files::read_whole(file));
  } catch (const nlohmann::ordered_json::exception& failure) {
    throw std::invalid_argument(
        fmt::format("{} is not valid JSON: {}", file.string(), names::plain_reason(failure.what())));
  }
  std::string name = options.name;
  if (const auto experiment = summary.find("experiment");
      name.empty() && experiment != summary.end() && experiment->is_string())
    name = experiment->get<std::string>();
  if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
    throw std::invalid_argument(
        fmt::format("--name \"{}\": a result's name names a file: give one of small letters, digits and -", name));
  const auto result = outcomes::shipped_from_summary(summary, name, file.string());
  reports::write_file_atomically(options.folder / (name + ".json"), outcomes::shipped_text(result));
}

/// Reads every result of the folder, adds one where asked, writes README.md beside them and prints a line for each.
/// Errors: those of outcomes::read_shipped_folder and shipped_from_summary; std::invalid_argument for a folder that is
/// not there.
int results(const ResultsOptions& options) {
  if (!fs::is_directory(options.folder))
    throw std::invalid_argument(
        fmt::format("{} is not a folder: name the folder of results, such as "
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
  if (fs::exists(page) && files::read_whole(page) == text) return terminal::exit_success;
  fmt::print("{} is not the page of these results; write it again by attest results\n", page.string());
  return terminal::exit_difference;
}

void add_results(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<ResultsOptions>(verb, chosen, results);
  verb.add_option("folder", o.folder, "the folder of results")->capture_default_str();
  CLI::Option* add = verb.add_option(
      "--add", o.add, "a folder of attest train or of measure --blocks: its summary becomes a result of the folder");
  verb.add_option("--name", o.name, "the name of the result that is added; by default the experiment's")->needs(add);
  verb.add_flag("--check", o.check, "write nothing; exit code 1 if README.md does not match the results")
      ->excludes(add);
}

}  // namespace

Verb results_verb() { return {"results", "check or show the results that ship, or add one", add_results}; }

}  // namespace attest::commands::definitions
