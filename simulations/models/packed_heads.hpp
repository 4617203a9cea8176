// Queries, keys and values of all heads as places of the one array that a projection makes.
#pragma once

#include <array>

#include "simulations/models/attention_bridge.hpp"

namespace attest::models {

/// Queries, keys and values [B][H][N][D] of qkv [B][N][3 C], without copying. Their gradients come back as one array:
/// each is copied to its place, or nothing is where they lie so already (`in_places_of_one_array`).
std::array<at::Tensor, 3> unpack(const at::Tensor& qkv, attention::Index heads);

/// Three arrays [B][H][N][D] like `like` whose memory is that of one [B][N][3 H D].
std::array<at::Tensor, 3> in_places_of_one_array(const at::Tensor& like);

}  // namespace attest::models
