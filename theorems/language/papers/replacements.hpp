// A changed statement told by what changes: `near_miss [0.49 for 1/2] replace 1/2 by 0.49`.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace attest::language {

/// Whether `text` tells replacements rather than a statement: it begins with the word `replace`.
bool tells_replacements(std::string_view text);

/// The statement of `says` in which each OLD of "replace OLD by NEW replace OLD by NEW ..." gives way to its NEW, one
/// after another. White space counts as one space; letters and digits next to OLD are not cut from a name or a number,
/// so that `n` is not found in `norm`. Errors: std::invalid_argument, one sentence, for a replacement without `by`, an
/// empty side, the same on both sides, and an OLD that does not occur exactly once in all of `says`.
std::string with_replacements(std::string_view text, std::span<const std::string> says);

}  // namespace attest::language
