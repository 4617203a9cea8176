// Formulas over boxes of raw numbers, for branch and bound: natural, mean-value and monotone enclosures together.
#pragma once

#include <span>
#include <vector>

#include "theorems/language/evaluation/decide.hpp"

namespace attest::language {

/// One box at a time; one object a thread. The program must outlive it.
class BoxEvaluator {
 public:
  explicit BoxEvaluator(const Program& program);

  /// Evaluates the program over the box. Errors: as BallEvaluator::run.
  void run(std::span<const rigor::Ball> box, std::span<const rigor::Ball> expected = {});
  const BallEvaluator& natural() const { return natural_; }

  /// lhs - rhs of a relation at the entry `k` of its larger side, for all points of the box: the intersection of the
  /// natural enclosure, of f(mid) + f'(box) (box - mid), and of the values at those ends of the box where the
  /// derivative's sign is certain. Not finite where a side is undefined somewhere in the box.
  rigor::Ball difference(const Formula& relation, std::size_t k);

  /// Certain truth at every point of the box; `open` also where it holds at some points and fails at others.
  Truth decide(const Formula& formula);

 private:
  rigor::Ball natural_difference(const BallEvaluator& at, const Formula& relation, std::size_t k) const;

  BallEvaluator natural_, elsewhere_;
  std::vector<rigor::Ball> box_, expected_;
};

}  // namespace attest::language
