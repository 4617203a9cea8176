#include "theorems/engine/runner/gaps.hpp"

#include <algorithm>

namespace attest::engine {

Gap gap_of(const Gaps& gaps, std::string_view claim) {
  const auto found = std::find_if(gaps.begin(), gaps.end(), [&](const Gap& gap) { return gap.claim == claim; });
  return found == gaps.end() ? Gap{std::string(claim)} : *found;
}

int size_of(const Gaps& gaps) {
  int sum = 0;
  for (const Gap& gap : gaps)
    sum += gap.parts_without_near_miss + gap.idle_near_misses + (gap.no_near_hit ? 1 : 0) + gap.against_itself +
           gap.blind_searches;
  return sum;
}

}  // namespace attest::engine
