#include "simulations/data/files/splits.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "kernels/random/stream.hpp"

namespace attest::data {

HeldOut hold_out(const std::vector<std::int32_t>& labels, double fraction, std::uint64_t seed) {
  if (!(fraction >= 0 && fraction < 1)) {
    throw std::invalid_argument(
        fmt::format("the held-out fraction is {}; give a number of at least 0 and below 1", fraction));
  }
  std::map<std::int32_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < labels.size(); ++i) members[labels[i]].push_back(i);
  HeldOut result;
  random::Stream stream(seed, random::stream_key("data/hold-out"), 0);
  for (auto& [label, indices] : members) {
    for (std::size_t left = indices.size(); left > 1; --left)
      std::swap(indices[left - 1], indices[stream.integer(left)]);
    const auto wanted = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(indices.size())));
    const auto middle = indices.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, indices.size() - 1));
    result.validation.insert(result.validation.end(), indices.begin(), middle);
    result.train.insert(result.train.end(), middle, indices.end());
  }
  std::sort(result.train.begin(), result.train.end());
  std::sort(result.validation.begin(), result.validation.end());
  return result;
}

HeldOut hold_out(std::size_t count, double fraction, std::uint64_t seed) {
  return hold_out(std::vector<std::int32_t>(count), fraction, seed);
}

}  // namespace attest::data
