#include "theorems/engine/protocols/layout.hpp"

#include <stdexcept>

#include <fmt/core.h>

namespace attest::engine {

std::vector<double> Layout::lower() const {
  std::vector<double> bounds;
  for (const Block& block : blocks_) bounds.insert(bounds.end(), block.count, block.lower);
  return bounds;
}

std::vector<double> Layout::upper() const {
  std::vector<double> bounds;
  for (const Block& block : blocks_) bounds.insert(bounds.end(), block.count, block.upper);
  return bounds;
}

Decode Layout::decode() const {
  return [blocks = blocks_](std::span<const double> x) {
    Inputs inputs;
    std::size_t at = 0;
    for (const Block& block : blocks) {
      const auto part = x.subspan(at, block.count);
      inputs.add(block.name, {part.begin(), part.end()});
      at += block.count;
    }
    return inputs;
  };
}

std::vector<double> Layout::point(const Inputs& named) const {
  std::vector<double> x;
  for (const Block& block : blocks_) {
    const auto part = values(named, block.name, block.count);
    x.insert(x.end(), part.begin(), part.end());
  }
  return x;
}

std::span<const double> values(const Inputs& inputs, const std::string& name, std::size_t count) {
  const auto found = inputs[name];
  if (found.size() != count) {
    throw std::invalid_argument(
        fmt::format("the input '{}' has {} values; this statement needs {}", name, found.size(), count));
  }
  return found;
}

}  // namespace attest::engine
