// Draws of the noise laws from words that need not be a stream's.
#pragma once

#include <cstdint>

#include "kernels/random/laws.hpp"

namespace attest::random {

/// The draw that `draw` makes of these words of a stream; `second` matters for student_t alone. Uniform words give the
/// law whatever made them.
double draw_from_words(const Law& law, std::uint64_t first, std::uint64_t second);

}  // namespace attest::random
