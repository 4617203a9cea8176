#include "theorems/referee/trials/other_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/parallel/blocks.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/referee/points/work.hpp"
#include "theorems/referee/search/search.hpp"

namespace attest::referee {
namespace {

constexpr std::size_t most_choices = 256, most_added = 3;
constexpr double points_each = 50;

/// The least relative slack that a few points meet; infinite where they cost more than `flops` or none says anything.
double glance(const language::Statement& statement, const language::Choices& choices, const engine::Context& context,
              std::uint64_t offset, double flops) {
  constexpr double nothing = std::numeric_limits<double>::infinity();
  try {
    // What is cheap enough to be evaluated so often is small.
    constexpr std::size_t memory = std::size_t{2} << 20;
    const language::Program program = language::compile(statement, choices, memory);
    if (program.dimension() == 0 || 2 * points_each * work_of(program) > flops) return nothing;
    Landscape landscape(program);
    landscape.set_ball_checks(4);
    const Harvest harvest =
        search_at(landscape, context, offset,
                  {static_cast<std::int64_t>(0.7 * points_each), static_cast<std::int64_t>(0.3 * points_each), 1});
    if (!harvest.best.empty()) return harvest.best.candidates().front().slack;
  } catch (const language::Problem&) {  // too large, or undefined: it says nothing either
  }
  return nothing;
}

}  // namespace

void add_tight_sizes(const language::Statement& statement, const engine::Context& context, double flops, Sizes& sizes) {
  const bool random = std::ranges::any_of(statement.binders, [](const language::Binder& binder) {
    return binder.quantifier == language::Quantifier::random;
  });
  if (random || sizes.exhaustive || !sizes.cases.empty()) return;
  const std::vector<language::Choices> others = untried_choices(statement, sizes, most_choices).choices;
  std::vector<double> slacks(others.size());
  parallel::for_each_block(static_cast<std::int64_t>(others.size()), context.threads, [&](std::int64_t block) {
    const auto k = static_cast<std::size_t>(block);
    slacks[k] = glance(statement, others[k], context, 0x6000 + k, flops / static_cast<double>(others.size()));
  });
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < others.size(); ++k)
    if (std::isfinite(slacks[k])) order.emplace_back(slacks[k], k);
  std::ranges::sort(order);
  std::vector<language::Choices> tightest;
  for (std::size_t k = 0; k < std::min(most_added, order.size()); ++k) tightest.push_back(others[order[k].second]);
  sizes.glanced_at = order.size() - tightest.size();
  if (!tightest.empty()) add_choices(statement, tightest, sizes);
}

}  // namespace attest::referee
