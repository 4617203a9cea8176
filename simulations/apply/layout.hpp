// The order of the axes of a caller's arrays.
#pragma once

#include <string_view>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/arrays/array.hpp"

namespace attest::apply {

using arrays::Array;
using arrays::NamedArrays;

enum class Layout {
  bhnd,  ///< [batch][head][token][feature], as mechanisms take them
  bnhd   ///< [batch][token][head][feature]
};

/// The array with axes 1 and 2 exchanged. Precondition: rank 4.
Array with_heads_and_tokens_exchanged(const Array& array);

/// Whether an input or result of this name has heads, tokens and features, and so another form in the other layout.
bool depends_on_layout(const attention::Mechanism& mechanism, std::string_view name);

/// Those arrays of a call or of its results that have heads, tokens and features, from `layout` to bhnd or back (the
/// exchange is its own inverse): inputs such as q of the form [B][H][N][D] and their gradients, R and `out`. All others
/// (masks, biases, lse) are the same in both layouts. Arrays of another rank are left for the checks of the call.
NamedArrays in_other_layout(const attention::Mechanism& mechanism, NamedArrays arrays, Layout layout);

}  // namespace attest::apply
