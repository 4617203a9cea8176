// What cannot be read or cannot be meant: one sentence with the place where it stands.
#pragma once

#include <stdexcept>
#include <string>

#include "theorems/language/tree.hpp"

namespace attest::language {

/// A statement that cannot be read, or that the language cannot mean. `what()` is one sentence with line and column
/// and how to fix it: "line 1, column 14: unknown name 'sofmax'; did you mean softmax?"
class Problem : public std::runtime_error {
 public:
  Problem(Place place, const std::string& sentence);
  Place place() const { return place_; }
  /// The sentence without its place.
  const std::string& sentence() const { return sentence_; }

 private:
  Place place_;
  std::string sentence_;
};

/// What is refused for its size alone: the same statement may be read at smaller sizes.
class Oversized : public Problem {
 public:
  using Problem::Problem;
};

}  // namespace attest::language
