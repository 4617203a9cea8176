// attest replay: evaluates a stored counterexample again.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/files/whole_file.hpp"
#include "simulations/command/evidence/replay_evidence.hpp"
#include "simulations/command/statements/brought_claims.hpp"
#include "simulations/command/statements/drawn_variables.hpp"
#include "simulations/command/verb.hpp"
#include "simulations/terminal/end_on_interrupt.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "theorems/engine/budget.hpp"
#include "theorems/engine/registry.hpp"
#include "theorems/engine/runner/alpha_ledger.hpp"
#include "theorems/engine/runner/runner.hpp"
#include "theorems/engine/witness_file.hpp"
#include "theorems/evidence/implied_statements.hpp"
#include "theorems/language/read.hpp"

namespace attest::commands::definitions {
namespace {

using nlohmann::ordered_json;

/// Refuses what cannot be a witness before its keys are looked at.
void require_json(const std::filesystem::path& file) {
  if (std::filesystem::is_directory(file))
    throw std::invalid_argument(fmt::format("{} is a folder: name a witness in it, such as {}", file.string(),
                                            (file / "witnesses" / "ID.json").string()));
  if (std::filesystem::exists(file) && !nlohmann::json::accept(files::read_whole(file)))
    throw std::invalid_argument(fmt::format(
        "{} is not a witness: it is not JSON; name a file of a run's witnesses/ as it was written", file.string()));
}

/// Random variables of what the witness speaks of: their stored values mean nothing.
std::set<std::string> drawn_in(const ordered_json& document, const engine::Witness& witness, const std::string& paper) {
  if (is_evidence(document))
    return drawn_variables(language::read_statement(document.at("statement").get<std::string>()));
  return drawn_variables(witness.claim, paper);
}

void print_inputs(const engine::Witness& witness, const std::set<std::string>& drawn) {
  for (const auto& [name, values] : witness.inputs.entries()) {
    if (drawn.contains(name)) continue;
    fmt::print("  {} =", name);
    for (const double value : values) fmt::print(" {}", value);
    fmt::print("\n");
  }
  for (const std::string& name : drawn) fmt::print("  {} is drawn from its law\n", name);
}

struct Replayed {
  engine::Witness witness;
  engine::Replay result;
  bool of_suite = true;  ///< else the statement stands in the file alone
};

bool in_suite(const std::string& id) {
  const auto& claims = engine::all_claims();
  return std::ranges::any_of(claims, [&](const engine::Claim& claim) { return claim.statement.id == id; });
}

std::string heading_of(const std::string& id) {
  const engine::Claim& claim = engine::find_claim(id);
  return fmt::format("  [{}] {}", claim.statement.label, claim.statement.title);
}

/// A claim and the check of it that a witness speaks of.
struct Checked {
  const engine::Claim* claim = nullptr;
  const engine::Check* check = nullptr;
};

Checked checked_by(const engine::Claims& claims, const engine::Witness& witness) {
  for (const engine::Claim& claim : claims) {
    if (claim.statement.id != witness.claim) continue;
    if (witness.neighbour == "printed") return {&claim, &claim.check};
    for (const auto* neighbours : {&claim.near_misses, &claim.near_hits})
      for (const engine::Neighbour& each : *neighbours)
        if (each.name == witness.neighbour) return {&claim, &each.check};
  }
  return {};
}

/// The witness of a claim in the user's file `paper`, at the error level of the suite and an effort that a file cannot
/// raise. Errors: std::invalid_argument where no claim of the file is meant.
engine::Replay replay_of_paper(const engine::Witness& witness, std::uint64_t fresh_seed, const std::string& paper) {
  std::vector<std::string> patterns = {paper};
  const BroughtClaims brought = bring_claims(patterns);
  const Checked found = checked_by(brought.suite, witness);
  if (found.check == nullptr)
    throw std::invalid_argument(
        fmt::format("no claim of {} has the id '{}'{}", paper, witness.claim,
                    witness.neighbour == "printed" ? "" : fmt::format(" and a change '{}'", witness.neighbour)));
  const double most = engine::parse_budget("deep").effort;
  const auto alpha = engine::Deferred<double>::later([&] {
    return engine::AlphaLedger(engine::default_false_alarm_bound, engine::ledger_shares(brought.suite)).share();
  });
  return found.check->replay(
      witness, engine::make_context(*found.claim, witness.neighbour, fresh_seed != 0 ? fresh_seed : witness.seed,
                                    std::min(witness.effort, most), alpha));
}

/// A witness of the suite, or of a claim in the file `paper` where one is named.
Replayed replay_witness(engine::Witness witness, std::uint64_t fresh_seed, const std::string& paper,
                        const std::string& path) {
  if (!paper.empty()) {
    engine::Replay result = replay_of_paper(witness, fresh_seed, paper);
    return {std::move(witness), std::move(result), false};
  }
  if (!in_suite(witness.claim))
    throw std::invalid_argument(
        fmt::format("{}: '{}' is not a statement of the suite; name the file of your own paper after the witness: "
                    "attest replay {} PAPER.attest",
                    path, witness.claim, path));
  engine::Replay result = engine::replay(witness, fresh_seed);
  return {std::move(witness), std::move(result)};
}

/// A claim of the suite is evaluated as the suite states it, or as the suite states what it implies, whatever the file
/// says: the file gives inputs. So is a claim of the user's file where one is named.
Replayed replay_evidence(const ordered_json& document, const std::string& path, std::uint64_t fresh_seed,
                         const std::string& paper) {
  engine::Witness witness = witness_of_evidence(document, path);
  if (in_suite(witness.claim)) {
    const evidence::ImpliedStatement* implied = evidence::implied_by(witness.claim);
    if (implied == nullptr) return replay_witness(std::move(witness), fresh_seed, paper, path);
    if (document.value("statement", "") != language::normal_form(language::read_statement(std::string(implied->text))))
      throw std::invalid_argument(
          fmt::format("{}: its statement is not what {} implies; take the file from the run that "
                      "wrote it unchanged",
                      path, witness.claim));
  }
  if (!paper.empty()) return replay_witness(std::move(witness), fresh_seed, paper, path);
  engine::Replay result = check_of_evidence(document, path).replay(witness, engine::Context{});
  return {std::move(witness), std::move(result), false};
}

/// A file may ask for sizes that no statement is evaluated at: that is bad input, not a failure of the machine.
Replayed replayed_within_bounds(const ordered_json& document, const std::string& path, std::uint64_t fresh_seed,
                                const std::string& paper) {
  try {
    return is_evidence(document) ? replay_evidence(document, path, fresh_seed, paper)
                                 : replay_witness(engine::witness_from_json(document, path), fresh_seed, paper, path);
  } catch (const std::bad_alloc&) {
    throw std::invalid_argument(fmt::format(
        "{}: its inputs ask for more memory than there is; take the file from the run that wrote it unchanged", path));
  } catch (const std::length_error&) {
    throw std::invalid_argument(fmt::format(
        "{}: its inputs ask for larger arrays than there are; take the file from the run that wrote it unchanged",
        path));
  } catch (const std::logic_error& failure) {
    const std::string what = failure.what();
    throw std::invalid_argument(what.find(path) == std::string::npos ? fmt::format("{}: {}", path, what) : what);
  } catch (const std::runtime_error& failure) {
    throw std::invalid_argument(fmt::format("{}: {}", path, failure.what()));
  }
}

/// Prints both sides at the inputs of the witness in `file`, a path from here or, as reports print it, from out/; it
/// may be of a claim in the user's own file `paper`. A `fresh_seed` other than 0 replaces the seed of a stochastic
/// witness. Returns 0 when the witness is confirmed, 1 when it is not. Errors: std::invalid_argument.
int replay(const std::string& file, const std::string& paper, std::uint64_t fresh_seed) {
  // Reports print paths relative to the run's directory, so that they do not depend on it; by default that is out/.
  const std::string in_default_run = (std::filesystem::path("out") / file).string();
  const bool relative_to_run = !std::filesystem::exists(file) && std::filesystem::exists(in_default_run);
  const std::string path = relative_to_run ? in_default_run : file;
  const terminal::EndOnInterrupt end_on_interrupt(
      [&] { fmt::print(stderr, "attest: interrupted; {} was not evaluated\n", path); });
  require_json(path);
  const ordered_json document = engine::read_witness_json(path);
  const Replayed replayed = replayed_within_bounds(document, path, fresh_seed, paper);
  const engine::Witness& witness = replayed.witness;
  const engine::Replay& result = replayed.result;
  fmt::print("{}{}\n", witness.claim, replayed.of_suite ? heading_of(witness.claim) : "");
  if (witness.neighbour != "printed") fmt::print("near-miss: {}\n", witness.neighbour);
  if (!witness.part.empty()) fmt::print("part: {}\n", witness.part);
  print_inputs(witness, drawn_in(document, witness, paper));
  fmt::print("left side   {}\nclaimed     {}\nright side  {}\nmargin      {}\n", result.lhs, symbol(result.relation),
             result.rhs, result.margin);
  if (result.precision_bits > 0) fmt::print("precision   {} bits\n", result.precision_bits);
  fmt::print("assumptions {}\n{}\n", result.assumptions_hold ? "hold" : "do not certainly hold", result.how);
  fmt::print("{}\n", result.confirmed ? "confirmed" : "not confirmed");
  return result.confirmed ? terminal::exit_success : terminal::exit_difference;
}

struct ReplayOptions {
  std::string witness, paper;
  std::uint64_t seed = 0;
};

void add_replay(CLI::App& verb, Chosen& chosen) {
  auto& o = options_for<ReplayOptions>(
      verb, chosen, [](const ReplayOptions& given) { return replay(given.witness, given.paper, given.seed); });
  verb.add_option("witness", o.witness, "a file of out/witnesses/; a path below out/ may omit out/")->required();
  verb.add_option("paper", o.paper, "the file PAPER.attest, where the witness is of a paper of your own");
  verb.add_option("--seed", o.seed, "fresh seed for a stochastic witness; 0 keeps the stored one");
  verb.footer(
      "Exit codes: 0 confirmed; 1 not confirmed; 2 wrong usage or bad input; 3 a file failed; 130 interrupted.");
}

}  // namespace

Verb replay_verb() { return {"replay", "evaluate a stored counterexample again, alone", add_replay}; }

}  // namespace attest::commands::definitions
