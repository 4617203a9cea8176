// The few best points of a search, in an order that does not depend on threads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace attest::search {

/// A point and its slack.
struct Candidate {
  double slack;
  std::vector<double> point;
};

/// Keeps the `capacity` candidates of least slack, best first; of equal ones the earlier is better, and a point equal
/// to a kept one is not kept twice. NaN is never kept.
class BestPoints {
 public:
  /// `capacity` at least 1.
  explicit BestPoints(std::size_t capacity) : capacity_(capacity) {}

  /// Considers one candidate.
  void add(double slack, const std::vector<double>& point);
  /// Considers all of another collection's, in its order.
  void merge(const BestPoints& other);
  /// The candidates kept, best first.
  const std::vector<Candidate>& candidates() const { return candidates_; }
  bool empty() const { return candidates_.empty(); }

 private:
  std::size_t capacity_;
  std::vector<Candidate> candidates_;
};

/// The candidates of several collections, best first; of equal ones the earlier collection's, and copies stay.
std::vector<Candidate> sorted(std::span<const BestPoints> collections);

}  // namespace attest::search
