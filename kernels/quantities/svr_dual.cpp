// What a support vector regression looks like at its optimum, from a hundred to twenty thousand samples.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/parallel/fold_blocks.hpp"
#include "kernels/quantity/quantity.hpp"
#include "kernels/quantity/sampled_mean.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/statistics/compensated_sum.hpp"
#include "kernels/svr/point_kernels.hpp"
#include "kernels/svr/solver.hpp"

namespace attest::quantities {
namespace {

constexpr std::int64_t kept_problems = 64;

/// What is looked at of one solved problem.
struct Optimum {
  double support = 0, bounded = 0, error = 0, gap = 0, steps = 0;
};

Optimum solved(const Arguments& at, std::uint64_t seed, std::uint64_t sample) {
  const auto n = static_cast<std::size_t>(at.integer("N")), d = static_cast<std::size_t>(at.integer("d"));
  random::Stream stream(seed, random::stream_key("svr_dual"), sample);
  std::vector<double> points, targets, truth;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < d; ++k) sum += points.emplace_back(stream.normal());
    truth.push_back(std::sin(sum));
    targets.push_back(truth.back() + at.real("sigma") * stream.normal());
  }
  const double box = at.real("C");
  svr::Problem problem{svr::gaussian_gram(points, d, at.real("gamma"), static_cast<std::size_t>(at.integer("columns"))),
                       targets, at.real("epsilon"), box, true};
  const svr::Solution solution = svr::solve(problem, {.tolerance = at.real("tolerance")});
  Optimum optimum;
  statistics::CompensatedSum squares;
  for (std::size_t i = 0; i < n; ++i) {
    optimum.support += solution.beta[i] != 0 ? 1 : 0;
    optimum.bounded += std::fabs(solution.beta[i]) >= box ? 1 : 0;
    squares.add((solution.fitted[i] - truth[i]) * (solution.fitted[i] - truth[i]));
  }
  const auto count = static_cast<double>(n);
  return {optimum.support / count, optimum.bounded / count, std::sqrt(squares.value() / count),
          solution.gap / solution.primal, static_cast<double>(solution.iterations) / count};
}

Outcomes outcomes(const Arguments& at, const Execution& execution) {
  statistics::Welford support, bounded, error, gap, steps;
  parallel::fold_blocks<Optimum>(
      static_cast<std::int64_t>(execution.samples), execution.threads, kept_problems,
      [&](std::int64_t i) { return solved(at, execution.seed, static_cast<std::uint64_t>(i)); },
      [&](const Optimum& optimum) {
        support.add(optimum.support);
        bounded.add(optimum.bounded);
        error.add(optimum.error);
        gap.add(optimum.gap);
        steps.add(optimum.steps);
      });
  const double outside =
      at.real("epsilon") > 0 ? std::erfc(at.real("epsilon") / (at.real("sigma") * std::sqrt(2.0))) : 1;
  const statistics::LawClass share = quantities::bounded(at, 0, 1), nothing = statistics::LawClass::asymptotic();
  return {{"support", mean_outcome(support, share)}, {"bounded", mean_outcome(bounded, share)},
          {"error", mean_outcome(error, nothing)},   {"gap", mean_outcome(gap, nothing)},
          {"steps", mean_outcome(steps, nothing)},   {"outside", Outcome::exact(outside)}};
}

}  // namespace

namespace definitions {

Quantity svr_dual() {
  Quantity q;
  q.name = "svr_dual";
  q.title = "Support vectors at the optimum of a regression dual";
  q.formula =
      R"(\min_\beta \tfrac12 \beta^\top K \beta - y^\top\beta + \varepsilon\|\beta\|_1,\quad |\beta_i| \le C,\ )"
      R"(\textstyle\sum_i \beta_i = 0,\quad K_{ij} = e^{-\gamma\|x_i - x_j\|^2})";
  q.source =
      "A Primal-Dual Framework for Transformers and Neural Networks, Eqs 5 and 6; a gaussian kernel of normal points "
      "and targets sin(sum_k x_k) with normal noise are ours. Each dual to the stated optimality residual, which its "
      "duality gap confirms";
  q.version = 2;
  q.parameters = {
      Parameter::integer("N", 100, 2, 100'000, "samples; kernel columns are computed when they are first asked for"),
      Parameter::integer("d", 2, 1, 256, "coordinates of a sample"),
      Parameter::real("C", 1, 1e-6, 1e6, "bound of the dual variables"),
      Parameter::real("epsilon", 0.1, 0, 10, "half width of the tube"),
      Parameter::real("gamma", 0.5, 1e-6, 1e6, "of the kernel"),
      Parameter::real("sigma", 0.1, 0, 10, "standard deviation of the targets' noise"),
      Parameter::real("tolerance", 1e-6, 1e-13, 1e-1, "largest optimality residual, relative to the targets' scale"),
      Parameter::integer("columns", 2000, 2, 100'000, "kernel columns that are kept, the others computed again"),
      interval_parameter(),
  };
  q.results = {
      {"support", "mean share of samples with a dual variable that is not 0", Role::estimate, bounded_within(0, 1)},
      {"bounded", "mean share of samples with a dual variable at its bound", Role::estimate, bounded_within(0, 1)},
      {"error", "mean distance of the fit from the targets without noise, root of the mean square over the samples"},
      {"gap", "mean duality gap over the primal objective"},
      {"steps", "mean decomposition steps a sample"},
      {"outside", "probability of noise outside the tube, which the support approaches as the fit does the truth",
       Role::reference},
  };
  q.default_samples = 16;
  q.sample_unit = "problems";
  q.evaluate = outcomes;
  return q;
}

}  // namespace definitions
}  // namespace attest::quantities
