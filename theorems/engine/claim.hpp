// A statement, its check, its planted near-misses and its near-hits: what a file in theorems/<paper>/ hands to the
// suite.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "theorems/engine/context.hpp"
#include "theorems/engine/deferred.hpp"
#include "theorems/engine/evidence.hpp"
#include "theorems/engine/statement.hpp"
#include "theorems/engine/witness.hpp"

namespace attest::engine {

/// A function from budget and seed to evidence, with the independent evaluation of the witnesses it may leave.
/// Made by the functions in `theorems/engine/protocols/`, one for each protocol.
struct Check {
  std::string protocol;  ///< a sentence for the reader
  std::function<Evidence(const Context&)> run;
  std::function<Replay(const Witness&, const Context&)> replay;  ///< throws std::invalid_argument on a misfit
  bool awaiting = false;  ///< it evaluates nothing (`awaits`), so that no near-miss could be refuted
  /// What is searched, with every size and range: made by the protocol from what it searches, never typed.
  std::function<std::string()> domain = {};
  /// It judges small changes of its statement by itself (`Context::changes`), so that no near-miss needs planting.
  bool judges_changes = false;
  /// Of the error level, each `Context::alpha`: more where it judges random changes, too.
  Deferred<std::size_t> shares = std::size_t{1};
};

/// A statement beside the judged one, put before the same check.
struct Neighbour {
  std::string name;  ///< "constant lowered by 1 percent", "assumption alpha <= 1 dropped"
  double delta = 0;  ///< relative distance; 1 where an assumption or a direction is changed
  Check check;
  /// The part of a composite that it changes ("part", or "part / inner part"): no other is evaluated, and that one must
  /// be refuted. Empty: all are evaluated, and it shows the power of those that are refuted.
  std::string part = {};
};

/// A statement that is false by a little, which the same check must refute.
using NearMiss = Neighbour;

/// A statement weaker than a refuted one by a little, and true, which the same check must let stand.
using NearHit = Neighbour;

struct Claim {
  Statement statement;
  Check check;
  std::vector<NearMiss> near_misses;
  std::vector<NearHit> near_hits = {};  ///< of a refuted claim
  std::string family = {};              ///< set by the registry: the executable check_<family>
  /// Where its check is written, from the repository's root or as its file was named:
  /// "theorems/boosting/thm_3_2.attest:4" or "theorems/boosting/figure_2.cpp"; empty for a plug-in's.
  std::string source = {};
};

using Claims = std::vector<Claim>;

/// Appends `more` to `claims`.
void append(Claims& claims, Claims more);

}  // namespace attest::engine
