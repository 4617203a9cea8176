// attest data: what data sets are there, what a file holds, and fetching them.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "reports/text/numbers.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/data/catalogue/fetch.hpp"
#include "simulations/data/examples/describe.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::commands::definitions {
namespace {

void print(const nlohmann::json& content, bool as_json, std::string (*lines)(const nlohmann::json&)) {
  fmt::print("{}", as_json ? content.dump(1) + "\n" : lines(content));
}

/// Where the data set's files are put.
std::filesystem::path folder_to_fill(const data::DataSet& data_set, const std::filesystem::path& data_dir) {
  const char* environment = std::getenv("ATTEST_DATA");
  std::filesystem::path root = !data_dir.empty() ? data_dir : environment != nullptr ? environment : "";
  if (root.empty()) root = data::own_data_folder().value_or("");
  if (root.empty()) {
    throw data::MissingData(fmt::format(
        "no folder is named for {}, and no home is known; name one with --data-dir or ATTEST_DATA", data_set.name));
  }
  return root / data_set.folders.front();
}

void show_progress(std::uintmax_t now, std::uintmax_t all) {
  constexpr double mebibyte = 1024.0 * 1024.0;
  fmt::print(stderr, "\r{:.1f} of {:.1f} MiB", static_cast<double>(now) / mebibyte,
             static_cast<double>(all) / mebibyte);
}

std::string lines(const data::Download& download, const data::Fetched& fetched) {
  std::string how = fetched.was_there ? "was there" : "fetched";
  if (fetched.resumed_from > 0) how += fmt::format(", resumed at byte {}", fetched.resumed_from);
  const std::string verified = download.sha256.empty() ? "no sha256 is known to compare it with"
                                                       : fmt::format("as it should be ({})", download.sha256_source);
  std::string text =
      fmt::format("{}: {}, {}\n  sha256 {}, {}\n", fetched.file.string(), how,
                  reports::counted(static_cast<std::int64_t>(fetched.bytes), "byte"), fetched.sha256, verified);
  const std::string unpack = data::unpacking(download, fetched.file.parent_path().string());
  if (!unpack.empty()) text += fmt::format("  unpack it: {}\n", unpack);
  return text;
}

/// Fetches what the data set's documented addresses hold into its folder below `data_dir`, else below ATTEST_DATA, else
/// below `data::own_data_folder`, and prints each file, its sha256 and how to unpack it. `mirror`: an address to
/// take the same file names from instead; empty for the documented ones. Returns the exit code. Errors:
/// data::MissingData when the name is unknown, has no address, or no folder is named; std::runtime_error of
/// data::fetch_file.
int fetch_data_set(const std::string& name, const std::filesystem::path& data_dir, const std::string& mirror,
                   bool json) {
  const data::DataSet* data_set = data::find_data_set(name);
  if (data_set == nullptr) data::throw_unknown(name);
  const std::vector<data::Download> downloads = data::downloads_of(name);
  if (downloads.empty()) {
    throw data::MissingData(
        fmt::format("no address is documented for {} ({}); put its files into a folder and "
                    "name that with --data-dir or ATTEST_DATA",
                    name, data_set->source));
  }
  const std::filesystem::path folder = folder_to_fill(*data_set, data_dir);
  const bool terminal = isatty(fileno(stderr)) == 1;
  nlohmann::json record = nlohmann::json::array();
  for (data::Download download : downloads) {
    if (!mirror.empty()) download.url = fmt::format("{}/{}", mirror, download.file);
    const data::Fetched fetched = data::fetch_file(download, folder, terminal ? show_progress : data::FetchProgress());
    if (terminal && !fetched.was_there) fmt::print(stderr, "\n");
    if (!json) fmt::print("{}", lines(download, fetched));
    record.push_back({{"file", fetched.file.string()},
                      {"url", download.url},
                      {"bytes", fetched.bytes},
                      {"sha256", fetched.sha256},
                      {"verified", !download.sha256.empty()},
                      {"was_there", fetched.was_there},
                      {"resumed_from", fetched.resumed_from}});
  }
  if (json) fmt::print("{}\n", record.dump(1));
  return terminal::exit_success;
}

/// Prints the catalogue of data sets. Returns the exit code.
int list_data_sets(const std::filesystem::path& data_dir, bool json) {
  print(data::list_data(data_dir), json, data::list_lines);
  return terminal::exit_success;
}

/// Prints what a data set or file holds. Returns the exit code. Errors: data::MissingData.
int describe_data_set(const std::string& name, const std::filesystem::path& data_dir, bool json) {
  print(data::describe_data(name, data_dir), json, data::describe_lines);
  return terminal::exit_success;
}

struct DataOptions {
  std::string name, mirror;
  std::filesystem::path data_dir;
  bool json = false;
};

void add_data(CLI::App& verb, Chosen& chosen) {
  const auto o = std::make_shared<DataOptions>();
  verb.require_subcommand(0, 1);
  verb.callback([&chosen] {
    if (!chosen)
      throw std::invalid_argument("attest data takes list, describe or fetch; attest data --help shows them");
  });
  CLI::App* list_verb = verb.add_subcommand("list", "the data sets known by name, and which are available");
  CLI::App* describe_verb = verb.add_subcommand("describe", "what a data set or file holds");
  describe_verb->add_option("name", o->name, "a data set's name or a file")->required();
  CLI::App* fetch_verb = verb.add_subcommand("fetch", "download a data set from its documented address");
  fetch_verb->add_option("name", o->name, "a data set's name")->required();
  fetch_verb->add_option("--mirror", o->mirror, "take the same file names from this address instead");
  for (CLI::App* each : {list_verb, describe_verb, fetch_verb}) {
    each->add_option("--data-dir", o->data_dir, "where data sets are looked for first, and fetched to");
    each->add_flag("--json", o->json, "machine-readable");
  }
  list_verb->callback([o, &chosen] { chosen = [o] { return list_data_sets(o->data_dir, o->json); }; });
  fetch_verb->callback(
      [o, &chosen] { chosen = [o] { return fetch_data_set(o->name, o->data_dir, o->mirror, o->json); }; });
  describe_verb->callback([o, &chosen] { chosen = [o] { return describe_data_set(o->name, o->data_dir, o->json); }; });
}

}  // namespace

Verb data_verb() { return {"data", "list, describe and download data sets", add_data}; }

}  // namespace attest::commands::definitions
