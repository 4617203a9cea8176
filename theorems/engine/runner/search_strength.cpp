#include "theorems/engine/runner/search_strength.hpp"

#include <limits>
#include <span>

#include "kernels/random/stream.hpp"
#include "kernels/search/known_problems.hpp"
#include "theorems/engine/context.hpp"
#include "theorems/engine/protocols/inequality.hpp"

namespace attest::engine {

std::vector<SearchStrength> measure_search_strength(std::uint64_t seed, double effort,
                                                    const std::atomic<bool>* interrupted) {
  Context context;
  context.interrupted = interrupted;
  context.effort = effort;
  std::vector<SearchStrength> strengths;
  for (const auto& known :
       {search::softmax_half_lipschitz(1, 4), search::softmax_half_lipschitz(2, 4),
        search::softmax_half_lipschitz(std::numeric_limits<double>::infinity(), 4), search::rosenbrock_valley(4),
        search::needle(2, 0.01), search::absolute_deviation(30), search::half_admissible(3)}) {
    search::Options options;
    options.seed = seed;
    options.key = random::stream_key("search strength/" + known.name);
    options.evaluations = context.evaluations(InequalityProblem{}.evaluations);
    search::Problem problem = known.problem;
    problem.slack = [&](std::span<const double> x) {
      context.poll();
      return known.problem.slack(x);
    };
    const search::Result found = search::minimise(problem, options);
    strengths.push_back({known.name, found.least_slack - known.infimum, found.evaluations});
  }
  return strengths;
}

}  // namespace attest::engine
