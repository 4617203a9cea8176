#include "theorems/referee/trials/on_equations.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>

#include "theorems/language/evaluation/decide.hpp"
#include "theorems/referee/proof/confirm.hpp"

namespace attest::referee {
namespace {

using language::Formula;

bool is_equation(const Formula& condition) {
  return condition.kind == Formula::Kind::relation && condition.relation == language::Relation::equal;
}

/// Every number a multiple of 2^-bits times the power of two at the largest.
std::vector<double> shortened(const std::vector<double>& raw, int bits) {
  double largest = 0;
  for (const double x : raw) largest = std::max(largest, std::abs(x));
  if (!(largest > 0)) return raw;
  const double unit = std::exp2(std::floor(std::log2(largest)) - bits);
  std::vector<double> out;
  for (const double x : raw) out.push_back(unit * std::round(x / unit));
  return out;
}

/// An equation among the conditions, and its slope at a point.
struct Equation {
  const Formula* condition;
  std::vector<double> slope;
};

std::vector<Equation> equations_at(const language::Program& program, const std::vector<double>& raw) {
  language::Evaluator at(program);
  at.run(raw);
  std::vector<Equation> equations;
  for (const Formula& condition : program.conditions()) {
    if (!is_equation(condition)) continue;
    Equation equation{&condition, std::vector<double>(raw.size(), 0.0)};
    language::margin_gradient(at, condition, false, equation.slope);
    equations.push_back(std::move(equation));
  }
  return equations;
}

/// The number on which an equation depends most, of those that no other depends on where there are such.
std::size_t own_number(const std::vector<Equation>& equations, std::size_t own, const std::set<std::size_t>& taken,
                       bool& alone) {
  const std::vector<double>& slope = equations[own].slope;
  std::size_t best = slope.size();
  alone = false;
  for (std::size_t k = 0; k < slope.size(); ++k) {
    if (slope[k] == 0 || !std::isfinite(slope[k]) || taken.contains(k)) continue;
    bool here = true;
    for (std::size_t e = 0; e < equations.size(); ++e) here &= e == own || equations[e].slope[k] == 0;
    if (best == slope.size() || here > alone || (here == alone && std::abs(slope[k]) > std::abs(slope[best]))) {
      best = k;
      alone = here;
    }
  }
  return best;
}

/// One step of Newton's method for each equation, in a number of its own: exact where the equation is linear with
/// coefficients that are powers of two. Those without a number that is theirs alone come first, since the others do not
/// disturb them. False where an equation has no number left.
bool put_on_equations(const language::Program& program, std::vector<double>& raw) {
  const std::vector<Equation> equations = equations_at(program, raw);
  language::Evaluator at(program);
  std::set<std::size_t> taken;
  for (const bool last : {false, true}) {
    for (std::size_t e = 0; e < equations.size(); ++e) {
      bool alone = false;
      const std::size_t number = own_number(equations, e, taken, alone);
      if (alone != last) continue;
      if (number == raw.size()) return false;
      at.run(raw);
      const double margin = language::margin(at, *equations[e].condition, false);
      // The margin is minus the distance, and its slope changes sign with the difference.
      std::vector<double> slope(raw.size(), 0.0);
      language::margin_gradient(at, *equations[e].condition, false, slope);
      if (margin != 0) raw[number] -= margin / slope[number];
      if (!std::isfinite(raw[number])) return false;
      taken.insert(number);
    }
  }
  return true;
}

}  // namespace

std::vector<Violation> violations_on_equations(const std::vector<Trial>& trials, const engine::Context& context) {
  constexpr std::size_t most = 12;
  for (std::size_t t = 0; t < trials.size(); ++t) {
    const language::Program& program = *trials[t].program;
    if (trials[t].expectations->means() != Means::none || !std::ranges::any_of(program.conditions(), is_equation))
      continue;
    language::Evaluator at(program);
    std::size_t looked_at = 0;
    for (const search::Candidate& candidate : trials[t].harvest.best.candidates()) {
      if (++looked_at > most) break;
      context.poll();
      at.run(candidate.point);
      if (!(language::margin(at, program.claim(), true) < -1e-9)) continue;
      for (const int bits : {2, 4, 8, 16, 24}) {
        std::vector<double> raw = shortened(candidate.point, bits);
        if (put_on_equations(program, raw) && confirm(program, raw).violates()) return {{t, raw, 0}};
      }
    }
  }
  return {};
}

}  // namespace attest::referee
