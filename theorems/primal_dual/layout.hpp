// The named vectors of a statement laid out as one flat search box.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "theorems/engine/inputs.hpp"
#include "theorems/engine/protocols/sides.hpp"

namespace attest::primal_dual {

/// `count` coordinates of one name, each in [lower, upper].
struct Block {
  std::string name;
  std::size_t count;
  double lower, upper;
};

/// An ordered list of blocks: the box that the search works on and the inputs that a point of it stands for.
class Layout {
 public:
  explicit Layout(std::vector<Block> blocks) : blocks_(std::move(blocks)) {}

  std::vector<double> lower() const;
  std::vector<double> upper() const;
  engine::Decode decode() const;
  /// The point of the box with these values by name. Errors: std::invalid_argument when a block is missing or its
  /// length is another.
  std::vector<double> point(const engine::Inputs& values) const;

 private:
  std::vector<Block> blocks_;
};

/// The vector `name` of the inputs. Errors: std::invalid_argument when it does not have `count` elements.
std::span<const double> values(const engine::Inputs& inputs, const std::string& name, std::size_t count);

}  // namespace attest::primal_dual
