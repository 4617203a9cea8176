#include "simulations/command/statements/statement_filter.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include "kernels/names/nearest.hpp"
#include "reports/text/search_words.hpp"

namespace attest::commands {
namespace {

using engine::Claim;
using engine::Statement;

bool has_digit(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// All values that a property takes among the statements.
template <class Property>
std::vector<std::string> values_of(Property property) {
  std::set<std::string> values;
  for (const Claim& claim : engine::all_claims()) {
    std::string value = property(claim);
    if (!value.empty()) values.insert(std::move(value));
  }
  return {values.begin(), values.end()};
}

template <class Property>
void keep(std::vector<const Claim*>& claims, const std::vector<std::string>& wanted, const char* option,
          Property property) {
  if (wanted.empty()) return;
  const std::vector<std::string> known = values_of(property);
  for (const std::string& value : wanted) {
    if (std::find(known.begin(), known.end(), value) == known.end())
      throw std::invalid_argument(fmt::format("{} {}: use one of {}", option, value, fmt::join(known, ", ")));
  }
  std::erase_if(claims, [&](const Claim* claim) {
    return std::find(wanted.begin(), wanted.end(), property(*claim)) == wanted.end();
  });
}

std::string text_of(const Claim& claim) {
  const Statement& s = claim.statement;
  return fmt::format("{} {} {} {} {}", s.id, s.label, s.title, fmt::join(s.assumptions, " "), s.note);
}

}  // namespace

std::vector<std::string> ids_meant(const std::string& pattern, const engine::Claims& claims) {
  std::vector<std::string> by_id, by_label, by_words, ids, labels;
  for (const Claim& claim : claims) {
    const Statement& s = claim.statement;
    ids.push_back(s.id);
    labels.push_back(s.label);
    if (fnmatch(pattern.c_str(), s.id.c_str(), 0) == 0) by_id.push_back(s.id);
    if (s.label == pattern) by_label.push_back(s.id);
    // A word alone is not a label: 'softmax' is looked for with --grep.
    if (has_digit(pattern) && reports::matches_search(reports::searchable(s.label), pattern)) by_words.push_back(s.id);
  }
  if (!by_id.empty()) return by_id;
  if (!by_label.empty()) return by_label;
  if (!by_words.empty() && pattern.find('/') == std::string::npos) return by_words;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(pattern, ignored))
    throw std::invalid_argument(
        fmt::format("{0} is a file, and a paper's file ends in .attest: rename it to {0}.attest", pattern));
  constexpr std::size_t shown = 3;
  const bool looks_like_id = pattern.find('/') != std::string::npos;
  throw std::invalid_argument(fmt::format(
      "unknown statement '{}': no id, glob or label matches; did you mean {}? attest list --grep '{}' searches",
      pattern, fmt::join(names::nearest(looks_like_id ? ids : labels, pattern, shown), ", "), pattern));
}

void add_filter(CLI::App& verb, StatementFilter& filter, const char* positional) {
  verb.add_option(positional, filter.patterns,
                  "ids, globs over ids (quote them), labels or their words such as 'theorem 3.1'");
  verb.add_option("--paper", filter.papers, "only this paper's; may be repeated")->allow_extra_args(false);
  verb.add_option("--verdict", filter.verdicts, "only with this verdict on record; may be repeated")
      ->allow_extra_args(false);
  verb.add_option(
          "--finding", filter.findings,
          "only with this finding: error, constant, assumption, slip, imprecise or unsupported; may be repeated")
      ->allow_extra_args(false);
  verb.add_option("--kind", filter.kinds, "only of this kind; may be repeated")->allow_extra_args(false);
  verb.add_option("--grep", filter.words, "only with all of these words in id, label, title, assumptions or note");
}

std::vector<const Claim*> find_statements(const StatementFilter& filter) {
  std::set<std::string> meant;
  for (const std::string& pattern : filter.patterns) {
    for (std::string& id : ids_meant(pattern, engine::all_claims())) meant.insert(std::move(id));
  }
  std::vector<const Claim*> claims;
  for (const Claim& claim : engine::all_claims()) {
    const bool named = filter.patterns.empty() || meant.contains(claim.statement.id);
    if (named && (filter.words.empty() || reports::matches_search(reports::searchable(text_of(claim)), filter.words)))
      claims.push_back(&claim);
  }
  keep(claims, filter.papers, "--paper", [](const Claim& c) { return std::string(c.statement.paper()); });
  keep(claims, filter.verdicts, "--verdict", [](const Claim& c) { return std::string(name(c.statement.expected)); });
  keep(claims, filter.findings, "--finding", [](const Claim& c) {
    return c.statement.finding == engine::Finding::none ? std::string() : std::string(name(c.statement.finding));
  });
  keep(claims, filter.kinds, "--kind", [](const Claim& c) { return std::string(name(c.statement.kind)); });
  return claims;
}

}  // namespace attest::commands
