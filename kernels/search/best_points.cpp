#include "kernels/search/best_points.hpp"

#include <algorithm>
#include <cmath>

namespace attest::search {

void BestPoints::add(double slack, const std::vector<double>& point) {
  if (std::isnan(slack)) return;
  if (candidates_.size() == capacity_ && !(slack < candidates_.back().slack)) return;
  // Optimisers end on the same bound again and again: a copy would take the place of a point worth starting from.
  for (const Candidate& kept : candidates_) {
    if (kept.slack == slack && kept.point == point) return;
  }
  const auto place = std::upper_bound(candidates_.begin(), candidates_.end(), slack,
                                      [](double value, const Candidate& kept) { return value < kept.slack; });
  candidates_.insert(place, Candidate{slack, point});
  if (candidates_.size() > capacity_) candidates_.pop_back();
}

void BestPoints::merge(const BestPoints& other) {
  for (const Candidate& candidate : other.candidates_) add(candidate.slack, candidate.point);
}

std::vector<Candidate> sorted(std::span<const BestPoints> collections) {
  std::vector<Candidate> all;
  for (const BestPoints& one : collections) all.insert(all.end(), one.candidates().begin(), one.candidates().end());
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.slack < b.slack; });
  return all;
}

}  // namespace attest::search
