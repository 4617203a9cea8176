// How strong the adversarial search is, measured on problems whose answer is known.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace attest::engine {

/// The gap that the search left on one known problem: least slack found minus the infimum, >= 0 up to rounding.
struct SearchStrength {
  std::string problem;
  double gap = 0;
  std::int64_t evaluations = 0;
};

/// Runs the search on the known problems of `search/known_problems.hpp` with the evaluations that an inequality gets by
/// default at this effort. A report that says "no violation found" is worth what these numbers say.
/// Throws `Interrupted` when that flag is set meanwhile.
std::vector<SearchStrength> measure_search_strength(std::uint64_t seed, double effort,
                                                    const std::atomic<bool>* interrupted = nullptr);

}  // namespace attest::engine
