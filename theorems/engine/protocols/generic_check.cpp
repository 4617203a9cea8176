#include "theorems/engine/protocols/generic_check.hpp"

#include <stdexcept>

#include <fmt/core.h>

namespace attest::engine {

Domain domain(const std::vector<Block>& blocks) {
  Domain box;
  for (const Block& block : blocks) {
    box.lower.insert(box.lower.end(), block.count, block.lower);
    box.upper.insert(box.upper.end(), block.count, block.upper);
  }
  box.decode = [blocks](std::span<const double> x) {
    Inputs inputs;
    std::size_t at = 0;
    for (const Block& block : blocks) {
      const auto part = x.subspan(at, block.count);
      inputs.add(block.name, {part.begin(), part.end()});
      at += block.count;
    }
    return inputs;
  };
  return box;
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
