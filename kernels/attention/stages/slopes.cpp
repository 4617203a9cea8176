#include "kernels/attention/stages/slopes.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace attest::attention {

std::vector<double> alibi_slopes(Index heads) {
  if (heads < 1) throw std::invalid_argument("alibi_slopes: there must be at least one head");
  const auto power = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(heads)));
  std::vector<double> slopes;
  for (Index h = 1; h <= power; ++h)
    slopes.push_back(std::exp2(-8.0 * static_cast<double>(h) / static_cast<double>(power)));
  for (Index h = 1; static_cast<Index>(slopes.size()) < heads; h += 2)
    slopes.push_back(std::exp2(-8.0 * static_cast<double>(h) / static_cast<double>(2 * power)));
  return slopes;
}

}  // namespace attest::attention
