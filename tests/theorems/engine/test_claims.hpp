// Claims with known answers, for tests of the engine.
#pragma once

#include <string>

#include "theorems/engine/claim.hpp"

namespace attest::engine {

/// A check that returns the given evidence and confirms no witness.
inline Check check_returning(Evidence evidence) {
  return {"returns fixed evidence", [evidence](const Context&) { return evidence; },
          [](const Witness&, const Context&) { return Replay{}; }, false, [] { return std::string("nothing"); }};
}

/// A well-formed claim around a check, with one near-miss.
inline Claim claim_with(std::string id, Kind kind, Verdict expected, Check check, Check near_miss) {
  return {{.id = std::move(id),
           .label = "label",
           .title = "title",
           .kind = kind,
           .tex = "x = x",
           .assumptions = {},
           .expected = expected},
          std::move(check),
          {{"near miss", 0.01, std::move(near_miss)}}};
}

/// Evidence of each kind that is in order and speaks for its statement.
inline IdentityEvidence good_identity() {
  IdentityEvidence e;
  e.evaluations = e.admissible = 100;
  e.rounding_bound = 1e-14;
  e.ball_points = 10;
  e.accuracy_bits = 100;
  return e;
}

inline InequalityEvidence good_inequality() {
  InequalityEvidence e;
  e.evaluations = e.admissible = 100;
  e.least_slack = 0.25;
  return e;
}

/// The same with a confirmed violation.
inline InequalityEvidence violated_inequality() {
  InequalityEvidence e = good_inequality();
  e.least_slack = -0.5;
  e.witness = Witness{};
  e.witness->inputs.add("x", {0.1});
  e.witness->precision_bits = 128;
  return e;
}

}  // namespace attest::engine
