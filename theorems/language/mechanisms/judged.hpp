// Which mechanism stands behind a name in a statement.
#pragma once

#include <string_view>

#include "kernels/attention/mechanism/mechanism.hpp"

namespace attest::language {

/// The mechanism that statements judge under that name: the library's (`attention::find_mechanism`). It is defined in a
/// file of its own, in whose place a test links one that plants faults.
const attention::Mechanism& judged(std::string_view name);

}  // namespace attest::language
