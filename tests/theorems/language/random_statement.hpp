// Random statements, built by the C++ vocabulary: what text can say, in shapes that nobody would type.
#pragma once

#include <cstdint>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// The statement of that seed. Its trees need not have a meaning beyond their names (shapes may not fit).
Statement random_statement(std::uint64_t seed);

}  // namespace attest::language
