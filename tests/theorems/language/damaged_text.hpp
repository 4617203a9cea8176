// Texts with small damage: the way inputs go wrong, and what fuzzers do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attest::language {

/// One of `texts` with one to three changes, by that seed: a byte replaced, inserted or removed, a stretch removed,
/// repeated or moved, a piece of another text or of `pieces` put in.
std::string damaged(const std::vector<std::string>& texts, const std::vector<std::string>& pieces, std::uint64_t seed);

}  // namespace attest::language
