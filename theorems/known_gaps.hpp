// What the statements of the suite still owe the rules of the engine, paper by paper.
#pragma once

#include "theorems/engine/runner/gaps.hpp"

namespace attest::gaps {

engine::Gaps boosting();
engine::Gaps primal_dual();
engine::Gaps probdr();
engine::Gaps twicing();

}  // namespace attest::gaps

namespace attest::engine {

/// All papers' lists in one, made once. A test pins its size, so that it can only shrink.
const Gaps& known_gaps();

}  // namespace attest::engine
