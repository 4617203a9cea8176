// attest explain: statements in full.
#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "reports/explain/explanation.hpp"
#include "reports/explain/tex_appendix.hpp"
#include "reports/files/json_place.hpp"
#include "reports/pages/report.hpp"
#include "simulations/command/record/record_of_run.hpp"
#include "simulations/command/record/recorded_statements.hpp"
#include "simulations/command/statements/brought_claims.hpp"
#include "simulations/command/statements/statement_filter.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/record.hpp"

namespace attest::commands::definitions {
namespace {

/// Where attest check leaves its record; it need not be there.
constexpr const char* default_record = "out";

/// How statements are explained.
enum class ExplainAs { text, json, tex };

using nlohmann::ordered_json;

/// The record of the run in `out`, or null.
ordered_json stored_record(const std::filesystem::path& out) {
  const std::filesystem::path file = out / "results.json";
  if (!std::filesystem::exists(file)) return nullptr;
  ordered_json document = *reports::parse_json_file(file);
  reports::results_from_json(document, file.string());  // refuses what is not a record
  return document;
}

/// What may be explained: the statements of files that the patterns name, of the record alone, and of the ledger.
struct Explained {
  engine::Claims suite;
  std::vector<ledger::Paper> papers;  ///< of the files
  StatementFilter filter;             ///< with ids in the place of files
};

Explained explained(const StatementFilter& filter, const ordered_json& stored) {
  Explained all{{}, {}, filter};
  BroughtClaims brought = bring_claims(all.filter.patterns);
  all.papers = std::move(brought.papers);
  if (brought.suite.empty())
    all.suite = engine::all_claims();
  else
    all.suite = std::move(brought.suite);
  if (!stored.is_null()) engine::append(all.suite, recorded_statements(stored, all.suite));
  return all;
}

/// These statements and those that amend one of them, which its explanation names; in the suite's order.
std::vector<const engine::Claim*> with_amendments(const std::vector<const engine::Claim*>& claims,
                                                  const engine::Claims& suite) {
  std::vector<std::string_view> ids;
  for (const engine::Claim* claim : claims) ids.push_back(claim->statement.id);
  const auto is_shown = [&](const std::string& id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); };
  std::vector<const engine::Claim*> all;
  for (const engine::Claim& claim : suite)
    if (is_shown(claim.statement.id) || is_shown(claim.statement.amends)) all.push_back(&claim);
  return all;
}

/// These statements: as the run recorded them where it did, else without results.
struct Known {
  ordered_json document;
  std::vector<std::string> recorded;
};

Known known_of(const std::vector<const engine::Claim*>& claims, const std::vector<ledger::Paper>& papers,
               ordered_json stored) {
  Known known{record_without_results(claims, papers), {}};
  if (stored.is_null()) return known;
  // What the record lacks are the heads of files that it did not judge.
  ordered_json& heads = stored["suite"]["papers"];
  for (auto& head : known.document["suite"]["papers"])
    if (std::ranges::none_of(
            heads, [&](const ordered_json& each) { return each.value("key", "") == head["key"].get<std::string>(); }))
      heads.push_back(std::move(head));
  known.document["suite"] = stored["suite"];
  for (auto& claim : known.document["claims"]) {
    for (auto& other : stored["claims"]) {
      if (other["id"] != claim["id"]) continue;
      claim = std::move(other);
      known.recorded.push_back(claim["id"].get<std::string>());
      break;
    }
  }
  return known;
}

bool contains(const std::vector<std::string>& list, const std::string& entry) {
  return std::find(list.begin(), list.end(), entry) != list.end();
}

void print_json(const Known& known, const std::vector<const engine::Claim*>& claims) {
  ordered_json list = ordered_json::array();
  for (const engine::Claim* claim : claims) {
    if (!contains(known.recorded, claim->statement.id)) {
      list.push_back(engine::statement_to_json(*claim));
      continue;
    }
    for (const auto& recorded : known.document["claims"])
      if (recorded["id"] == claim->statement.id) list.push_back(recorded);
  }
  fmt::print("{}\n", list.dump(1));
}

/// Prints every statement that fits, of the ledger, of files PAPER.attest among the patterns, and of the run stored in
/// `out`: with the evidence of that run where it holds it, else as it stands in the source with the verdict on record.
/// `json`: an array of what the run recorded, or of the statement alone; `tex`: a fragment for \input. Returns the exit
/// code. Errors: those of find_statements and bring_claims; std::invalid_argument when nothing fits;
/// reports::MalformedResults.
int explain(const StatementFilter& filter, const std::filesystem::path& out, ExplainAs how) {
  if (out != default_record && !std::filesystem::exists(out / "results.json"))
    throw std::invalid_argument(fmt::format(
        "--out {}: there is no results.json in it; leave --out away, or name the folder of a run of attest check",
        out.string()));
  ordered_json stored = stored_record(out);
  if (how == ExplainAs::text && filter == StatementFilter{})
    throw std::invalid_argument("name a statement, such as boosting/thm-3.1; attest list shows them, and '*' is all");
  const Explained all = explained(filter, stored);
  const std::vector<const engine::Claim*> claims = find_statements(all.filter, all.suite);
  if (claims.empty())
    throw std::invalid_argument("no statement fits all of these; attest list takes the same options and shows them");
  const Known known = known_of(with_amendments(claims, all.suite), all.papers, std::move(stored));
  if (how == ExplainAs::json) {
    print_json(known, claims);
    return terminal::exit_success;
  }
  reports::Results results = reports::results_from_json(known.document, (out / "results.json").string());
  reports::locate_witnesses(results, out);
  const reports::Terminal terminal = reports::terminal_of(STDOUT_FILENO);
  std::vector<const reports::Claim*> chosen;
  for (const engine::Claim* claim : claims) chosen.push_back(find_claim(results, claim->statement.id));
  if (how == ExplainAs::tex) {
    fmt::print("{}", reports::tex_appendix(results, chosen));
    return terminal::exit_success;
  }
  for (const reports::Claim* claim : chosen) {
    const bool recorded = contains(known.recorded, claim->id);
    if (claim != chosen.front()) fmt::print("\n{}\n\n", std::string(static_cast<std::size_t>(terminal.columns), '-'));
    if (recorded) fmt::print("(evidence of the run stored in {})\n\n", (out / "results.json").string());
    fmt::print("{}", recorded ? explanation(results, *claim, terminal) : static_explanation(results, *claim, terminal));
  }
  return terminal::exit_success;
}

struct ExplainOptions {
  StatementFilter filter;
  std::filesystem::path out = default_record;
  bool json = false, tex = false;
};

void add_explain(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<ExplainOptions>(verb, chosen, [](const ExplainOptions& given) {
    return explain(given.filter, given.out,
                   given.json  ? ExplainAs::json
                   : given.tex ? ExplainAs::tex
                               : ExplainAs::text);
  });
  add_filter(verb, o.filter, "statements");
  verb.add_option("--out", o.out,
                  "folder of the run whose evidence is shown, and where statements of your own are found")
      ->capture_default_str();
  auto* json = verb.add_flag("--json", o.json, "machine-readable: one array, as in results.json where a run is stored");
  verb.add_flag("--tex", o.tex, "a fragment of LaTeX, for a document with amsmath and amssymb")->excludes(json);
}

}  // namespace

Verb explain_verb() { return {"explain", "show statements in full", add_explain}; }

}  // namespace attest::commands::definitions
