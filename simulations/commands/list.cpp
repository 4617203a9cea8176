// attest list: what the suite judges.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "reports/text/numbers.hpp"
#include "reports/text/readable_tex.hpp"
#include "reports/text/terminal.hpp"
#include "simulations/command/list_attention.hpp"
#include "simulations/command/list_quantities.hpp"
#include "simulations/command/statements/brought_claims.hpp"
#include "simulations/command/statements/statement_filter.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/engine/runner/record.hpp"

namespace attest::commands::definitions {
namespace {

using Claims = std::vector<const engine::Claim*>;

void print_json(const Claims& claims) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const engine::Claim* claim : claims) list.push_back(engine::statement_to_json(*claim));
  fmt::print("{}\n", list.dump(1));
}

std::string verdict_of(const engine::Statement& s) {
  const std::string verdict(name(s.expected));
  return s.finding == engine::Finding::none ? verdict : verdict + " " + std::string(name(s.finding));
}

/// `explained_by`: the command that shows one in full.
void print_table(const Claims& claims, const std::string& explained_by) {
  const auto width = static_cast<std::size_t>(reports::terminal_of(STDOUT_FILENO).columns);
  constexpr std::size_t widest_label = 26;
  std::size_t ids = 2, labels = 5, verdicts = 9;
  for (const engine::Claim* claim : claims) {
    const engine::Statement& s = claim->statement;
    ids = std::max(ids, s.id.size());
    labels = std::max(labels, std::min(widest_label, reports::display_width(s.label)));
    verdicts = std::max(verdicts, verdict_of(s).size());
  }
  const auto print = [&](const std::string& id, const std::string& label, const std::string& verdict,
                         const std::string& title) {
    std::string line = fmt::format("{:<{}}", id, ids);
    // What has no room is left out: the id is what the next command wants.
    for (const auto& [text, columns] : {std::pair{label, labels}, {verdict, verdicts}, {title, width}}) {
      const std::size_t used = reports::display_width(line);
      if (used + 8 < width) line += "  " + reports::fit_to(text, std::min(columns, width - used - 2));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  };
  if (!claims.empty()) print("id", "label", "on record", "title");
  for (const engine::Claim* claim : claims) {
    const engine::Statement& s = claim->statement;
    print(s.id, s.label, verdict_of(s), (s.printed ? "" : "(ours) ") + reports::readable_text(s.title));
  }
  if (claims.empty()) return fmt::print("no statement fits; leave out a filter or a word\n");
  fmt::print("{}; {} shows one in full\n", reports::counted(static_cast<std::int64_t>(claims.size()), "statement"),
             explained_by);
}

/// Prints the statements that fit, one on each line no wider than the terminal (label, verdict on record, finding, id,
/// title; an id is never cut), or as a JSON array. Returns the exit code. Errors: those of find_statements and
/// bring_claims.
int list(StatementFilter filter, bool json) {
  for (const char* other : {"attention", "quantities"})
    if (filter.patterns == std::vector<std::string>{other})
      throw std::invalid_argument(fmt::format("write attest list --{0} for {0}; else statements are listed", other));
  const BroughtClaims brought = bring_claims(filter.patterns);
  const Claims claims = find_statements(filter, brought.suite.empty() ? engine::all_claims() : brought.suite);
  if (json) {
    print_json(claims);
  } else {
    print_table(claims, brought.suite.empty() ? "attest explain ID" : "attest explain PAPER.attest ID");
  }
  return terminal::exit_success;
}

struct ListOptions {
  StatementFilter filter;
  bool json = false, attention = false, quantities = false;
};

void add_list(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<ListOptions>(verb, chosen, [](const ListOptions& given) {
    const bool statements = !given.quantities && !given.attention;
    if (!statements && !(given.filter == StatementFilter{.patterns = given.filter.patterns}))
      throw std::invalid_argument("mechanisms and quantities are chosen by name alone");
    if (given.quantities) return list_quantities(given.filter.patterns, given.json);
    return given.attention ? list_attention(given.filter.patterns, given.json) : list(given.filter, given.json);
  });
  add_filter(verb, o.filter, "statements");
  verb.add_flag("--json", o.json, "machine-readable: one array of objects");
  auto* attention =
      verb.add_flag("--attention", o.attention, "the attention mechanisms of attest apply instead of the statements");
  verb.add_flag("--quantities", o.quantities, "what attest sweep can sweep instead of the statements; names choose")
      ->excludes(attention);
}

}  // namespace

Verb list_verb() { return {"list", "list statements, attention mechanisms or quantities", add_list}; }

}  // namespace attest::commands::definitions
