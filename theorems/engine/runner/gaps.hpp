// Where a claim does not yet meet a rule of the engine: lists that may only shrink.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest::engine {

/// What one claim is excused for. Anything beyond it makes the claim's verdict an `error`.
struct Gap {
  std::string claim;                ///< its id
  int parts_without_near_miss = 0;  ///< parts that no near-miss has been seen to refute
  int idle_near_misses = 0;         ///< near-misses that show nothing the claim's own fall does not show
  bool no_near_hit = false;         ///< refuted, and no weaker statement is known to stand before its check
  int against_itself = 0;           ///< parts whose two sides are one formula, or do not depend on the inputs
  int blind_searches = 0;           ///< parts whose searched slack is the same everywhere
};

using Gaps = std::vector<Gap>;

/// The excuse of that claim; one without any for a claim that is not listed.
Gap gap_of(const Gaps& gaps, std::string_view claim);

/// All numbers of the list added up, `no_near_hit` as 1: what a test pins.
int size_of(const Gaps& gaps);

}  // namespace attest::engine
