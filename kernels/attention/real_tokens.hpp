// How many tokens of a sequence are real, the others being padding.
#pragma once

#include <vector>

#include "kernels/attention/tensor.hpp"

namespace attest::attention {

/// lengths[b], or `tokens`, the extent of the array, where `lengths` is empty.
inline Index real_tokens(const std::vector<Index>& lengths, Index b, Index tokens) {
  return lengths.empty() ? tokens : lengths[static_cast<std::size_t>(b)];
}

}  // namespace attest::attention
