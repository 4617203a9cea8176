#include "theorems/referee/points/cases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "theorems/language/evaluation/decide.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/referee/points/chosen_variables.hpp"

namespace attest::referee {
namespace {

using language::Choices;

constexpr double nothing = std::numeric_limits<double>::infinity();

/// What one case may take: cases are looked at by thousands.
constexpr std::size_t memory_of_a_case = std::size_t{2} << 20;

/// The relative margin of the claim in doubles; `nothing` where a condition fails, a side is not a number, or the case
/// is too large.
double margin_of(const language::Statement& statement, const Choices& choices) {
  try {
    const language::Program program = language::compile(statement, choices, memory_of_a_case);
    language::Evaluator at(program);
    at.run(std::vector<double>(program.dimension(), 0.0));
    for (const language::Formula& condition : program.conditions())
      if (!(language::margin(at, condition, false) >= 0)) return nothing;
    const double margin = language::margin(at, program.claim(), true);
    if (!std::isnan(margin)) return margin;
  } catch (const language::Problem&) {  // too large, or undefined: it says nothing either
  }
  return nothing;
}

}  // namespace

std::vector<Choices> tightest_cases(const language::Statement& statement, const std::vector<Choices>& cases,
                                    std::size_t most, const engine::Context& context) {
  std::vector<std::pair<double, std::size_t>> margins;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    if ((k & 63) == 0) context.poll();
    if (const double margin = margin_of(statement, cases[k]); margin < nothing) margins.emplace_back(margin, k);
  }
  const std::size_t kept = std::min(most, margins.size());
  std::partial_sort(margins.begin(), margins.begin() + static_cast<std::ptrdiff_t>(kept), margins.end());
  std::vector<Choices> tightest;
  for (std::size_t k = 0; k < kept; ++k) tightest.push_back(cases[margins[k].second]);
  return tightest;
}

std::vector<Choices> descended_cases(const language::Statement& statement, const std::vector<Choices>& starts,
                                     const engine::Context& context) {
  std::vector<Choices> ends;
  for (const Choices& start : starts) {
    Choices at = start;
    double margin = margin_of(statement, at);
    double step = 1;
    for (const auto& [name, value] : at)
      if (std::isfinite(value)) step = std::max(step, std::exp2(std::floor(std::log2(std::max(1.0, std::abs(value))))));
    while (step >= 1) {
      context.poll();
      bool moved = false;
      for (const auto& [name, value] : Choices(at)) {
        for (const double to : {value - step, value + step}) {
          Choices next = at;
          next[name] = to;
          if (!outside_of_sets(statement, next).empty()) continue;
          if (const double there = margin_of(statement, next); there < margin) {
            margin = there;
            at = std::move(next);
            moved = true;
          }
        }
      }
      if (!moved) step /= 2;
    }
    if (std::find(ends.begin(), ends.end(), at) == ends.end()) ends.push_back(std::move(at));
  }
  return ends;
}

}  // namespace attest::referee
