// The adversarial search at fixed choices.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/search/best_points.hpp"
#include "theorems/engine/context.hpp"
#include "theorems/referee/points/points.hpp"
#include "theorems/referee/search/landscape.hpp"

namespace attest::referee {

/// What a search at fixed choices met.
struct Harvest {
  search::BestPoints best{24};  ///< admissible points by slack, from different structures first
  std::int64_t evaluations = 0;
  std::int64_t admissible = 0;                   ///< points at which all conditions held
  std::optional<std::vector<double>> undefined;  ///< an admissible point at which a side is not a number in doubles
  bool looked_far = false;                       ///< at unbounded numbers from 1e-60 to 1e120, too
  double least_shortfall = 1e300;                ///< how near to the conditions the search came
};

/// How much is searched, in evaluations.
struct SearchLimits {
  std::int64_t draws = 2000;
  std::int64_t local = 2000;  ///< of all local searches together
  int starts = 8;
};

/// Structures, draws over families and scales, points repaired to meet the conditions, then local searches led by
/// gradients from the best points of different structures, each followed by variations. `seeds` are points to start
/// from too (of the same program's dimension). A pure function of its arguments.
Harvest search_at(Landscape& landscape, const engine::Context& context, std::uint64_t stream_offset,
                  const SearchLimits& limits, const std::vector<std::vector<double>>& seeds = {});

/// Only local searches from these points, and variations of what they reach.
Harvest search_from(Landscape& landscape, const engine::Context& context, std::uint64_t stream_offset,
                    std::int64_t evaluations, const std::vector<std::vector<double>>& seeds);

}  // namespace attest::referee
