#include "simulations/command/statements/brought_claims.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "simulations/command/statements/statement_filter.hpp"
#include "theorems/engine/plugin.hpp"
#include "theorems/language/papers/paper_file.hpp"
#include "theorems/ledger/typed_claims.hpp"

namespace attest::commands {
namespace {

language::PaperFile read_brought_paper(const std::string& file) {
  std::vector<std::string> known;
  for (const auto& claim : engine::all_claims()) known.push_back(claim.statement.id);
  try {
    return language::read_paper_file(file, known);
  } catch (const std::runtime_error& failure) {
    throw std::invalid_argument(failure.what());
  }
}

void refuse_taken_ids(const engine::Claims& claims) {
  std::set<std::string> taken;
  for (const auto& claim : engine::all_claims()) taken.insert(claim.statement.id);
  for (const auto& claim : claims)
    if (!taken.insert(claim.statement.id).second)
      throw std::invalid_argument(
          fmt::format("the id '{}' is taken by another statement; rename the file or the claim that brings it",
                      claim.statement.id));
}

/// What is wrong with the suite, with the line of the claim that it is about where that is known.
std::string with_place(std::string fault, const engine::Claims& claims) {
  constexpr std::string_view prefix = "the suite is ill-formed: ";
  if (fault.starts_with(prefix)) fault.erase(0, prefix.size());
  for (const engine::Claim& claim : claims) {
    const std::size_t colon = claim.source.rfind(':');
    if (colon == std::string::npos || fault.find(fmt::format("'{}'", claim.statement.id)) == std::string::npos)
      continue;
    return fmt::format("{}, line {}: {}", claim.source.substr(0, colon), claim.source.substr(colon + 1), fault);
  }
  return fault;
}

/// Whether one of the patterns names one of the claims.
bool names_one_of(const std::vector<std::string>& patterns, const engine::Claims& claims) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return std::ranges::any_of(claims, [&](const engine::Claim& claim) {
      return is_named_by(pattern, claim.statement.id, claim.statement.label);
    });
  });
}

}  // namespace

BroughtClaims bring_claims(engine::Selection& selection, const std::vector<std::string>& plugins) {
  BroughtClaims brought;
  std::vector<std::string> patterns;
  std::set<std::filesystem::path> taken;
  for (const std::string& pattern : selection.patterns) {
    if (!pattern.ends_with(".attest")) {
      patterns.push_back(pattern);
      continue;
    }
    if (!taken.insert(std::filesystem::weakly_canonical(pattern)).second) continue;  // named twice
    const std::string paper = ledger::paper_of(pattern);
    const language::PaperFile file = read_brought_paper(pattern);
    engine::Claims claims = ledger::claims_of(file, paper, pattern);
    brought.papers.push_back(ledger::paper_of_file(file, paper));
    if (!names_one_of(selection.patterns, claims)) patterns.push_back(paper + "/*");
    engine::append(brought.suite, std::move(claims));
  }
  // As its file writes the name: of a built-in statement of the same name nobody spoke.
  for (std::string& pattern : patterns)
    for (const engine::Claim& claim : brought.suite)
      if (name_in_paper(claim.statement.id) == pattern) pattern = claim.statement.id;
  const bool nothing_named = patterns.empty() && selection.paper.empty() && selection.family.empty();
  for (const std::string& plugin : plugins) {
    const engine::Claims claims = engine::claims_of_plugin(plugin);
    if (nothing_named)
      for (const auto& claim : claims) patterns.push_back(claim.statement.id);
    engine::append(brought.suite, claims);
  }
  if (brought.suite.empty()) return brought;
  refuse_taken_ids(brought.suite);
  engine::append(brought.suite, engine::all_claims());
  try {
    engine::validate(brought.suite);
  } catch (const std::logic_error& fault) {  // what is a fault of the source for built-in statements
    throw std::invalid_argument(with_place(fault.what(), brought.suite));
  }
  selection.patterns = patterns;
  return brought;
}

BroughtClaims bring_claims(std::vector<std::string>& patterns) {
  engine::Selection selection{.patterns = std::move(patterns)};
  BroughtClaims brought = bring_claims(selection, {});
  patterns = std::move(selection.patterns);
  return brought;
}

}  // namespace attest::commands
