#include "theorems/engine/protocols/self_test.hpp"

#include <algorithm>
#include <utility>

namespace attest::engine {

void SelfTestWatch::see(std::span<const double> lhs, std::span<const double> rhs, double slack) {
  std::call_once(first_, [&] {
    first_lhs_.assign(lhs.begin(), lhs.end());
    first_rhs_.assign(rhs.begin(), rhs.end());
    first_slack_ = slack;
  });
  points_.fetch_add(1, std::memory_order_relaxed);
  // Once a difference is known it stays known: the comparisons are over after the first few points of a sound check.
  if (!sides_differ_.load(std::memory_order_relaxed) && !std::equal(lhs.begin(), lhs.end(), rhs.begin(), rhs.end()))
    sides_differ_ = true;
  if (!sides_change_.load(std::memory_order_relaxed) &&
      !(std::equal(lhs.begin(), lhs.end(), first_lhs_.begin(), first_lhs_.end()) &&
        std::equal(rhs.begin(), rhs.end(), first_rhs_.begin(), first_rhs_.end())))
    sides_change_ = true;
  if (slack != first_slack_) slack_changes_ = true;
}

SelfTest SelfTestWatch::result(std::string exact_rewriting) const {
  SelfTest found;
  found.exact_rewriting = std::move(exact_rewriting);
  if (points_ < least_points) return found;
  found.sides_identical = !sides_differ_;
  found.sides_constant = !sides_change_;
  found.slack_constant = !slack_changes_;
  return found;
}

}  // namespace attest::engine
