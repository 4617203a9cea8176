// Philox as a CUDA device computes it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace attest::random {

/// philox4x32 with 10 rounds of every known answer's counter and key, computed on the device. Errors:
/// std::runtime_error with CUDA's words.
std::vector<std::array<std::uint32_t, 4>> known_answers_on_cuda();

}  // namespace attest::random
