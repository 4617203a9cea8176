// The complaint about a results document.
#pragma once

#include <stdexcept>

namespace attest::reports {

/// A results document that cannot be read or understood. `what()` is one sentence: the file, the place in it, and the
/// fix.
struct MalformedResults : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace attest::reports
