// The shapes of a mechanism's inputs as text: one pair of brackets per axis, a letter for its extent.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// The letters of "[B][N_q]": B, N_q. None for "[]", one number.
std::vector<std::string> letters_of(std::string_view shape);

/// Whether a letter is an extent itself: "1" of "[B][1][N_q][N_k]".
bool is_extent(std::string_view letter);

/// Whether an array of these extents can have the shape that the text describes: as many axes, and extents that are
/// written as numbers equal.
bool can_have(std::string_view text, const Shape& shape);

/// Extents by letter.
using Letters = std::map<std::string, Index, std::less<>>;

/// The extents that "[B][H][N][D]" stands for. Errors: std::invalid_argument naming a letter that is not in `letters`.
Shape shape_of(std::string_view text, const Letters& letters);

}  // namespace attest::attention
