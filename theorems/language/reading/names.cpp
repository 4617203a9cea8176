#include "theorems/language/reading/names.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "theorems/language/functions.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/reading/recursions.hpp"

namespace attest::language {
namespace {

void check_callable(const std::string& name, Place place) {
  if (find_function(name) != nullptr || name == "E" || name == "P" || name == "O" ||
      std::ranges::find(comprehensions, name) != comprehensions.end())
    throw Problem(place, fmt::format("'{}' is a function of the language; choose another name", name));
}

void check_parameters(const Definition& definition, const std::vector<Place>& places) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < definition.parameters.size(); ++i) {
    Names::check_reserved(definition.parameters[i], places[i]);
    if (!seen.insert(definition.parameters[i]).second)
      throw Problem(places[i], fmt::format("two parameters are called '{}'; rename one", definition.parameters[i]));
  }
}

Place place_of(const Statement& statement, const Meaning& meaning) {
  return meaning.kind == Meaning::Kind::definition ? statement.definitions[meaning.at].place
                                                   : statement.recursions[meaning.at].place;
}

}  // namespace

void Names::register_all(Draft& draft) {
  Statement& statement = draft.statement;
  std::set<Quantifier> once;
  for (std::size_t b = 0; b < statement.binders.size(); ++b) {
    const Binder& binder = statement.binders[b];
    const bool only_one = binder.quantifier == Quantifier::best || binder.quantifier == Quantifier::limit;
    if (only_one && !once.insert(binder.quantifier).second)
      throw Problem(binder.place, "a statement has one 'best' and one 'limit' at most; make two statements");
    for (std::size_t i = 0; i < binder.names.size(); ++i) {
      check_reserved(binder.names[i], draft.binder_names[b][i]);
      add(binder.names[i], draft.binder_names[b][i],
          {Meaning::Kind::bound, b, binder.quantifier == Quantifier::random, ++ranks_});
    }
    has_random_ = has_random_ || binder.quantifier == Quantifier::random;
  }
  for (std::size_t d = 0; d < statement.definitions.size(); ++d) {
    const Definition& definition = statement.definitions[d];
    check_reserved(definition.name, definition.place);
    if (!definition.parameters.empty()) check_callable(definition.name, definition.place);
    add(definition.name, definition.place, {Meaning::Kind::definition, d});
    check_parameters(definition, draft.parameter_names[d]);
  }
  statement.recursions = take_recursions(statement.conditions, [&](const std::string& name) {
    return find_function(name) != nullptr || meanings_.contains(name) || name == "O";
  });
  for (std::size_t r = 0; r < statement.recursions.size(); ++r) {
    const Recursion& recursion = statement.recursions[r];
    check_reserved(recursion.name, recursion.place);
    check_callable(recursion.name, recursion.place);
    check_reserved(recursion.index, recursion.place);
    add(recursion.name, recursion.place, {Meaning::Kind::recursion, r});
  }
}

void Names::add(const std::string& name, Place place, Meaning meaning) {
  if (!meanings_.emplace(name, meaning).second)
    throw Problem(place, fmt::format("'{}' is bound twice; rename one of the two", name));
}

void Names::add_bound(const std::string& name, Place place, std::size_t binder) {
  add(name, place, {Meaning::Kind::bound, binder, false, ++ranks_});
}

const Meaning* Names::find(const std::string& name) const {
  const auto found = meanings_.find(name);
  return found == meanings_.end() ? nullptr : &found->second;
}

void Names::check_reserved(const std::string& name, Place place) {
  if (name == "inf" || name == "infinity" || name == "true" || name == "false" || name == "True" || name == "False")
    throw Problem(place, fmt::format("'{}' is a word of the language and cannot be bound; choose another name", name));
}

void Names::settle(const Statement& statement) {
  std::set<std::string> settled;
  for (const Definition& definition : statement.definitions) refuse_circle(statement, definition.name, {}, settled);
  std::map<std::string, Leaning> closed;
  for (const auto& [name, leaning] : leanings_) closed[name] = closure(name);
  leanings_ = std::move(closed);
}

void Names::refuse_circle(const Statement& statement, const std::string& name, std::vector<std::string> path,
                          std::set<std::string>& settled) const {
  if (settled.contains(name)) return;
  const Meaning& meaning = meanings_.at(name);
  path.push_back(name);
  if (path.size() > deepest_tree)
    throw Problem(place_of(statement, meaning), "more definitions lean on one another than are followed; join some");
  for (const auto& [other, outside] : leanings_.at(name)) {
    const Meaning& inner = meanings_.at(other);
    // A recursion may use its own earlier values and those of the others.
    if (inner.kind == Meaning::Kind::bound ||
        (inner.kind == Meaning::Kind::recursion && meaning.kind == Meaning::Kind::recursion))
      continue;
    if (const auto begin = std::ranges::find(path, other); begin != path.end())
      throw Problem(place_of(statement, meaning), fmt::format("the definitions of {} go round in a circle; break it",
                                                              fmt::join(begin, path.end(), " and ")));
    refuse_circle(statement, other, path, settled);
  }
  settled.insert(name);
}

Leaning Names::closure(const std::string& name) const {
  Leaning all;
  std::set<std::pair<std::string, bool>> seen;
  std::vector<std::pair<std::string, bool>> open{{name, true}};
  while (!open.empty()) {
    const auto [here, here_outside] = open.back();
    open.pop_back();
    for (const auto& [other, outside] : leanings_.at(here)) {
      const bool both = outside && here_outside;
      if (meanings_.at(other).kind == Meaning::Kind::bound)
        all[other] = all[other] || both;
      else if (seen.emplace(other, both).second)
        open.emplace_back(other, both);
    }
  }
  return all;
}

}  // namespace attest::language
