// Statements with several parts: dimensions, steps of a proof, readings of one sentence.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "theorems/engine/claim.hpp"

namespace attest::engine {

/// A part of a statement: its name, the kind of claim it is by itself, and its check.
struct Part {
  std::string name;
  Deferred<Kind> kind = Kind::identity;
  Check check;
};

/// The check of a statement that is true when all its parts are; every part gets its own random stream and an equal
/// share of the error level. A witness names the part it belongs to. Errors: std::invalid_argument for no part, an
/// unnamed part or two parts of one name.
Check composite(std::vector<Part> parts);

}  // namespace attest::engine
