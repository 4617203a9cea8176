// A statement, its check and its planted near-misses: what a file in theorems/<paper>/ hands to the suite.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "theorems/engine/context.hpp"
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
};

/// A statement that is false by a little, which the same check must refute.
struct NearMiss {
  std::string name;  ///< "constant lowered by 1 percent", "assumption alpha <= 1 dropped"
  double delta = 0;  ///< relative size of the error; 1 where an assumption or a direction is changed
  Check check;
};

struct Claim {
  Statement statement;
  Check check;
  std::vector<NearMiss> near_misses;
  std::string family = {};  ///< set by the registry: the executable check_<family>
};

using Claims = std::vector<Claim>;

/// Appends `more` to `claims`.
void append(Claims& claims, Claims more);

}  // namespace attest::engine
