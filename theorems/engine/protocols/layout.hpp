// The named vectors of a statement laid out as one flat search box.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "theorems/engine/inputs.hpp"
#include "theorems/engine/protocols/sides.hpp"

namespace attest::engine {

/// `count` coordinates of one name, each in [lower, upper].
struct Block {
  std::string name;
  std::size_t count;
  double lower, upper;
};

/// An ordered list of blocks: the box that the search works on and the inputs that a point of it stands for.
class Layout {
 public:
  Layout(std::initializer_list<Block> blocks) : blocks_(blocks) {}
  Layout(std::vector<Block> blocks) : blocks_(std::move(blocks)) {}

  std::vector<double> lower() const;
  std::vector<double> upper() const;
  Decode decode() const;
  /// The point of the box with these values by name. Errors: std::invalid_argument when a block is missing or its
  /// length is another.
  std::vector<double> point(const Inputs& values) const;

 private:
  std::vector<Block> blocks_;
};

/// The vector `name` of the inputs. Errors: std::invalid_argument when it does not have `count` elements.
std::span<const double> values(const Inputs& inputs, const std::string& name, std::size_t count);

}  // namespace attest::engine
