// Watches the values that a search sees, for checks that cannot fail: a formula against itself, a search with nothing
// to follow.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "theorems/engine/evidence.hpp"

namespace attest::engine {

/// Sees the sides and the slack at every admissible point, from any thread; what it finds does not depend on the order.
class SelfTestWatch {
 public:
  void see(std::span<const double> lhs, std::span<const double> rhs, double slack);

  /// What was seen. With fewer than `least_points` admissible points nothing is said against the check.
  SelfTest result(std::string exact_rewriting) const;

  static constexpr std::int64_t least_points = 8;

 private:
  std::once_flag first_;
  std::vector<double> first_lhs_, first_rhs_;
  double first_slack_ = 0;
  std::atomic<std::int64_t> points_{0};
  std::atomic<bool> sides_differ_{false}, sides_change_{false}, slack_changes_{false};
};

}  // namespace attest::engine
