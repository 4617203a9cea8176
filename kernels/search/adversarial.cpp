#include "kernels/search/adversarial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "kernels/parallel/blocks.hpp"
#include "kernels/search/best_points.hpp"
#include "kernels/search/distributions.hpp"
#include "kernels/search/local_optimiser.hpp"

namespace attest::search {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t points_per_block = 64;

void check(const Problem& problem, const Options& options) {
  if (!problem.slack) throw std::invalid_argument("search: the problem has no slack function");
  if (problem.lower.empty() || problem.lower.size() != problem.upper.size()) {
    throw std::invalid_argument("search: the box has " + std::to_string(problem.lower.size()) + " lower and " +
                                std::to_string(problem.upper.size()) +
                                " upper bounds; give one of each per coordinate");
  }
  for (std::size_t i = 0; i < problem.lower.size(); ++i) {
    if (!std::isfinite(problem.lower[i]) || !std::isfinite(problem.upper[i]) || problem.lower[i] > problem.upper[i]) {
      throw std::invalid_argument("search: coordinate " + std::to_string(i) + " has bounds [" +
                                  std::to_string(problem.lower[i]) + ", " + std::to_string(problem.upper[i]) +
                                  "]; give finite ones in increasing order");
    }
  }
  for (const std::vector<double>& corner : problem.corners) {
    if (corner.size() != problem.lower.size()) {
      throw std::invalid_argument("search: a corner has " + std::to_string(corner.size()) + " coordinates, the box " +
                                  std::to_string(problem.lower.size()));
    }
  }
  if (options.evaluations < 1) throw std::invalid_argument("search: evaluations must be at least 1");
  if (options.starts < 0) throw std::invalid_argument("search: starts must not be negative");
}

/// What one phase saw, mergeable in the order of its blocks.
struct Tally {
  BestPoints best;
  std::int64_t evaluations = 0;
  std::int64_t admissible = 0;

  void merge(const Tally& other) {
    best.merge(other.best);
    evaluations += other.evaluations;
    admissible += other.admissible;
  }

  Phase phase() const {
    Phase result{.least_slack = nan, .evaluations = evaluations, .admissible = admissible};
    if (!best.empty()) {
      result.least_slack = best.candidates().front().slack;
      result.argmin = best.candidates().front().point;
    }
    return result;
  }
};

/// Evaluates the slack at point(0), ..., point(count - 1), block by block.
template <class PointOf>
Tally evaluate(const Problem& problem, const Options& options, std::size_t kept, std::int64_t count,
               const PointOf& point_of) {
  const std::int64_t blocks = (count + points_per_block - 1) / points_per_block;
  std::vector<Tally> tallies(static_cast<std::size_t>(blocks), Tally{BestPoints(kept)});
  parallel::for_each_block(blocks, options.threads, [&](std::int64_t block) {
    Tally& tally = tallies[static_cast<std::size_t>(block)];
    const std::int64_t end = std::min(count, (block + 1) * points_per_block);
    for (std::int64_t i = block * points_per_block; i < end; ++i) {
      const std::vector<double> point = point_of(i);
      const double slack = problem.slack(point);
      ++tally.evaluations;
      if (std::isnan(slack)) continue;
      ++tally.admissible;
      tally.best.add(slack, point);
    }
  });
  Tally total{BestPoints(kept)};
  for (const Tally& tally : tallies) total.merge(tally);
  return total;
}

/// The best `count` candidates, or all if there are fewer.
std::vector<Candidate> first_of(const BestPoints& best, std::size_t count) {
  const std::vector<Candidate>& all = best.candidates();
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()))};
}

std::vector<std::vector<double>> all_corners(const Problem& problem, std::int64_t limit) {
  std::vector<std::vector<double>> corners = problem.corners;
  if (static_cast<std::int64_t>(corners.size()) > limit) corners.resize(static_cast<std::size_t>(limit));
  for (std::vector<double>& corner : corners) {
    for (std::size_t i = 0; i < corner.size(); ++i) {
      corner[i] = std::clamp(corner[i], problem.lower[i], problem.upper[i]);
    }
  }
  const std::int64_t room = limit - static_cast<std::int64_t>(corners.size());
  for (std::vector<double>& corner : generic_corners(problem.lower, problem.upper, room)) {
    corners.push_back(std::move(corner));
  }
  return corners;
}

/// Local methods from chosen points, side by side.
class LocalSearch {
 public:
  LocalSearch(const Problem& problem, const Options& options, std::size_t kept)
      : found{BestPoints(kept)}, problem_(problem), options_(options) {}

  /// Spends at most `evaluations`, in equal parts.
  void from(const std::vector<Candidate>& starts, std::int64_t evaluations) {
    const auto count = static_cast<std::int64_t>(starts.size());
    if (count == 0 || evaluations <= 0) return;
    std::vector<Phase> phases(starts.size(), Phase{.least_slack = nan});
    parallel::for_each_block(count, options_.threads, [&](std::int64_t i) {
      const Candidate& start = starts[static_cast<std::size_t>(i)];
      // The remainder of the division goes to the best starts, so that the cap is met and never passed.
      const std::int64_t share = evaluations / count + (i < evaluations % count ? 1 : 0);
      phases[static_cast<std::size_t>(i)] =
          optimise_locally(problem_, start.point, start.slack, runs + static_cast<int>(i), share);
    });
    for (const Phase& phase : phases) {
      found.evaluations += phase.evaluations;
      found.admissible += phase.admissible;
      found.best.add(phase.least_slack, phase.argmin);
    }
    runs += static_cast<int>(count);
  }

  Tally found;
  int runs = 0;

 private:
  const Problem& problem_;
  const Options& options_;
};

}  // namespace

Result minimise(const Problem& problem, const Options& options) {
  check(problem, options);
  const std::size_t kept = static_cast<std::size_t>(std::max(options.starts, 40));
  std::int64_t left = options.evaluations;

  const std::vector<std::vector<double>> corners = all_corners(problem, std::max<std::int64_t>(1, left / 4));
  const Tally at_corners = evaluate(problem, options, kept, static_cast<std::int64_t>(corners.size()),
                                    [&](std::int64_t i) { return corners[static_cast<std::size_t>(i)]; });
  left -= at_corners.evaluations;

  const std::int64_t draws = options.starts > 0 ? left / 2 : left;
  const std::int64_t blind_draws = draws - draws / 2;
  Tally random = evaluate(problem, options, kept, blind_draws, [&](std::int64_t i) {
    random::Stream stream(options.seed, options.key, static_cast<std::uint64_t>(i));
    return random_point(static_cast<Family>(i % family_count), problem.lower, problem.upper, stream);
  });
  Tally best_so_far = at_corners;
  best_so_far.merge(random);
  const Tally before_generations = best_so_far;
  constexpr std::int64_t generations = 32;
  for (std::int64_t generation = 0; generation < generations && !best_so_far.best.empty(); ++generation) {
    const std::int64_t first = blind_draws + (draws - blind_draws) * generation / generations;
    const std::int64_t end = blind_draws + (draws - blind_draws) * (generation + 1) / generations;
    const Tally near = evaluate(problem, options, kept, end - first, [&](std::int64_t i) {
      random::Stream stream(options.seed, options.key, static_cast<std::uint64_t>(first + i));
      return random_point_near(best_so_far.best.candidates(), problem.lower, problem.upper, stream);
    });
    random.merge(near);
    best_so_far.merge(near);
  }
  left = options.evaluations - at_corners.evaluations - random.evaluations;

  LocalSearch local(problem, options, kept);
  if (options.starts > 0) {
    // The generations tend to crowd round one point; half of the starts come from what was known before them.
    // A local method needs some evaluations a coordinate to get anywhere: long vectors get fewer starts.
    const auto affordable = left / 2 / (20 * static_cast<std::int64_t>(problem.lower.size()));
    const auto starts = static_cast<std::size_t>(std::clamp<std::int64_t>(affordable, 1, options.starts));
    std::vector<Candidate> chosen = first_of(best_so_far.best, starts - starts / 2);
    for (Candidate& candidate : first_of(before_generations.best, starts / 2)) chosen.push_back(std::move(candidate));
    local.from(chosen, left / 2);
    // The second half goes deeper from where the first arrived: few starts, many evaluations each.
    local.from(first_of(local.found.best, (starts + 3) / 4), left - local.found.evaluations);
  }

  Tally total = best_so_far;
  total.merge(local.found);
  const Phase best = total.phase();
  return Result{.least_slack = best.least_slack,
                .argmin = best.argmin,
                .evaluations = best.evaluations,
                .admissible = best.admissible,
                .corners = at_corners.phase(),
                .random = random.phase(),
                .local = local.found.phase(),
                .starts = local.runs};
}

}  // namespace attest::search
