// Finding statements of the suite: by id, glob, label, property or words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "theorems/engine/registry.hpp"

namespace attest::commands {

/// What is looked for. A statement fits when it fits every list that is not empty; it fits a list by any of its
/// entries.
struct StatementFilter {
  /// Ids, globs over ids, papers, labels, or the beginning of one ("Prop 3.1", "theorem 2").
  std::vector<std::string> patterns = {};
  std::vector<std::string> papers = {};
  std::vector<std::string> verdicts = {};  ///< as recorded in the source
  std::vector<std::string> findings = {};
  std::vector<std::string> kinds = {};
  std::string words = {};  ///< `reports::matches_search` over id, label, title, assumptions and note; empty for any

  bool operator==(const StatementFilter&) const = default;
};

/// Gives the parser the options that fill `filter`; its patterns are the positional argument of that name.
void add_filter(CLI::App& verb, StatementFilter& filter, const char* positional);

/// The statements among `claims` that fit, in their order, perhaps none.
/// Errors: std::invalid_argument, with the nearest right word, when a pattern matches nothing or a property has no such
/// value.
std::vector<const engine::Claim*> find_statements(const StatementFilter& filter, const engine::Claims& claims);

/// What stands after the paper in an id: "lipschitz" of "note/lipschitz", as the paper's file writes it.
std::string_view name_in_paper(std::string_view id);

/// Whether a pattern is the id, a glob over it, its paper, its name in its paper or the label.
bool is_named_by(const std::string& pattern, const std::string& id, const std::string& label);

/// Ids of the statements among `claims` that a pattern means: an id or glob, else a label, else a paper, else the words
/// of a label, else a name in its paper.
/// Errors: std::invalid_argument naming the pattern and the nearest ids, or labels and names in a paper.
std::vector<std::string> ids_meant(const std::string& pattern, const engine::Claims& claims);

}  // namespace attest::commands
