#include "simulations/command/statements/statement_filter.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include "kernels/files/mistyped_file.hpp"
#include "kernels/names/nearest.hpp"
#include "reports/text/search_words.hpp"

namespace attest::commands {
namespace {

using engine::Claim;
using engine::Statement;

bool has_digit(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// All values that a property takes among `claims`.
template <class Property>
std::vector<std::string> values_of(const engine::Claims& claims, Property property) {
  std::set<std::string> values;
  for (const Claim& claim : claims) {
    std::string value = property(claim);
    if (!value.empty()) values.insert(std::move(value));
  }
  return {values.begin(), values.end()};
}

/// Of `found` those with one of the wanted values, which some of `claims` has.
template <class Property>
void keep(std::vector<const Claim*>& found, const engine::Claims& claims, const std::vector<std::string>& wanted,
          const char* option, Property property) {
  if (wanted.empty()) return;
  const std::vector<std::string> known = values_of(claims, property);
  for (const std::string& value : wanted) {
    if (std::find(known.begin(), known.end(), value) == known.end())
      throw std::invalid_argument(fmt::format("{} {}: use one of {}", option, value, fmt::join(known, ", ")));
  }
  std::erase_if(found, [&](const Claim* claim) {
    return std::find(wanted.begin(), wanted.end(), property(*claim)) == wanted.end();
  });
}

std::string text_of(const Claim& claim) {
  const Statement& s = claim.statement;
  return fmt::format("{} {} {} {} {}", s.id, s.label, s.title, fmt::join(s.assumptions, " "), s.note);
}

}  // namespace

bool is_named_by(const std::string& pattern, const std::string& id, const std::string& label) {
  return fnmatch(pattern.c_str(), id.c_str(), 0) == 0 || label == pattern || name_in_paper(id) == pattern ||
         id.starts_with(pattern + '/');
}

std::string_view name_in_paper(std::string_view id) { return id.substr(id.find('/') + 1); }

std::vector<std::string> ids_meant(const std::string& pattern, const engine::Claims& claims) {
  std::vector<std::string> by_id, by_label, by_paper, by_words, by_name, ids, names;
  for (const Claim& claim : claims) {
    const Statement& s = claim.statement;
    ids.push_back(s.id);
    names.push_back(s.label);
    // Labels have words, names in a paper have none.
    if (pattern.find(' ') == std::string::npos) names.emplace_back(name_in_paper(s.id));
    if (fnmatch(pattern.c_str(), s.id.c_str(), 0) == 0) by_id.push_back(s.id);
    if (name_in_paper(s.id) == pattern) by_name.push_back(s.id);
    if (s.label == pattern) by_label.push_back(s.id);
    if (s.paper() == pattern) by_paper.push_back(s.id);
    // A word alone is not a label: 'softmax' is looked for with --grep.
    if (has_digit(pattern) && reports::matches_search(reports::searchable(s.label), pattern)) by_words.push_back(s.id);
  }
  if (!by_id.empty()) return by_id;
  if (!by_label.empty()) return by_label;
  if (!by_paper.empty()) return by_paper;
  if (!by_words.empty() && pattern.find('/') == std::string::npos) return by_words;
  if (!by_name.empty()) return by_name;
  std::error_code ignored;
  if (std::filesystem::is_directory(pattern, ignored))
    throw std::invalid_argument(
        fmt::format("{} is a folder: name a paper's file PAPER.attest in it, or an id, glob or label", pattern));
  if (std::filesystem::is_regular_file(pattern, ignored) && !pattern.ends_with(".attest"))
    throw std::invalid_argument(
        fmt::format("{0} is a file, and a paper's file ends in .attest: rename it to {0}.attest", pattern));
  if (pattern == "-" || pattern.starts_with("/dev/"))
    throw std::invalid_argument(
        fmt::format("{}: a paper is read from a file PAPER.attest, whose name begins the ids of its claims", pattern));
  if (std::filesystem::is_regular_file(pattern + ".attest", ignored))
    throw std::invalid_argument(fmt::format("unknown statement '{0}': did you mean the file {0}.attest?", pattern));
  if (const std::string meant = files::mistyped_file(pattern, ".attest"); !meant.empty())
    throw std::invalid_argument(fmt::format("unknown statement '{}': did you mean the file {}?", pattern, meant));
  const auto slash = pattern.find('/');
  const bool looks_like_id = slash != std::string::npos;
  const bool of_known_paper =
      std::ranges::any_of(ids, [&](const std::string& id) { return id.starts_with(pattern.substr(0, slash + 1)); });
  const std::vector<std::string>& known = looks_like_id ? ids : names;
  if (looks_like_id && !of_known_paper)
    throw std::invalid_argument(
        fmt::format("unknown statement '{}': no id or glob matches{}", pattern,
                    names::did_you_mean(known, pattern,
                                        "statements of your own are found where their file PAPER.attest is named too, "
                                        "and by attest explain --out DIR in a record")));
  throw std::invalid_argument(
      fmt::format("unknown statement '{}': no id, glob or label matches{}", pattern,
                  names::did_you_mean(known, pattern, fmt::format("attest list --grep '{}' searches", pattern))));
}

void add_filter(CLI::App& verb, StatementFilter& filter, const char* positional) {
  verb.add_option(
      positional, filter.patterns,
      "ids, globs over ids (quote them), papers, labels or their words such as 'theorem 3.1', or files PAPER.attest");
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

std::vector<const Claim*> find_statements(const StatementFilter& filter, const engine::Claims& claims) {
  std::set<std::string> meant;
  for (const std::string& pattern : filter.patterns) {
    for (std::string& id : ids_meant(pattern, claims)) meant.insert(std::move(id));
  }
  std::vector<const Claim*> found;
  for (const Claim& claim : claims) {
    const bool named = filter.patterns.empty() || meant.contains(claim.statement.id);
    if (named && (filter.words.empty() || reports::matches_search(reports::searchable(text_of(claim)), filter.words)))
      found.push_back(&claim);
  }
  keep(found, claims, filter.papers, "--paper", [](const Claim& c) { return std::string(c.statement.paper()); });
  keep(found, claims, filter.verdicts, "--verdict",
       [](const Claim& c) { return std::string(name(c.statement.expected)); });
  keep(found, claims, filter.findings, "--finding", [](const Claim& c) {
    return c.statement.finding == engine::Finding::none ? std::string() : std::string(name(c.statement.finding));
  });
  keep(found, claims, filter.kinds, "--kind", [](const Claim& c) { return std::string(name(c.statement.kind)); });
  return found;
}

}  // namespace attest::commands
