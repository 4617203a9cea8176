// What ranks tell each other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simulations/sweeping/workers.hpp"

namespace attest::sweeps {

/// A finished point as bytes, and back; doubles keep their bits.
std::string packed(const PointEnd& end);
PointEnd unpacked_point(std::string_view bytes);

/// A list of points as bytes, and back.
std::string packed(const std::vector<std::uint64_t>& points);
std::vector<std::uint64_t> unpacked_list(std::string_view bytes);

}  // namespace attest::sweeps
