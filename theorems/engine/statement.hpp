// A statement of a paper as data: where it stands, what it says, what it assumes, what kind of claim it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "theorems/engine/deferred.hpp"
#include "theorems/engine/verdict.hpp"

namespace attest::engine {

/// The kind fixes which protocols may judge a statement (see `verdict_rule.hpp`).
enum class Kind {
  identity,
  universal_inequality,
  rate,  ///< an asymptotic rate or order
  limit,
  expectation_bound,
  optimality,  ///< an optimum, a stationarity condition or an equivalence of two problems
  existence,
  definition,   ///< is it well posed, does it say what the text then uses
  implication,  ///< a proof step: does the conclusion follow from what stands before it
  figure,       ///< a figure's or table's numbers, recomputed
  cost_model
};

/// Words as in results.json: "identity", "universal inequality", "asymptotic rate", ...
std::string_view name(Kind kind);

/// One judged statement, in the paper's wording or in ours.
struct Statement {
  std::string id;     ///< "paper/slug", unique in the suite
  std::string label;  ///< as in the list of claims: "Eq 3.5", "Prop 3.1 / Eq 3.4 (strict '> 1')"
  std::string title;  ///< a few words
  Deferred<Kind> kind = Kind::identity;
  Deferred<std::string> tex;                 ///< the statement in TeX, without dollar signs around the whole
  std::vector<std::string> assumptions;      ///< stated and silent ones, one sentence each
  Verdict expected = Verdict::supported;     ///< recorded after derivation and after the check agreed
  bool expected_to_stand = false;            ///< nothing was recorded: any verdict that speaks for it is as expected
  Finding finding = Finding::none;           ///< of a printed statement that does not hold
  bool printed = true;                       ///< the paper's own wording; false for ours
  std::string amends = {};                   ///< id of the statement this one corrects or sharpens, empty for none
  std::string note = {};                     ///< extraction damage, reading chosen, what the paper's text then uses
  std::vector<std::string> depends_on = {};  ///< ids of statements whose fall would bring this one down

  std::string paper() const { return id.substr(0, id.find('/')); }
};

}  // namespace attest::engine
