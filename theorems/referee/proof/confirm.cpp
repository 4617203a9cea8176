#include "theorems/referee/proof/confirm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "theorems/language/algebra/exact.hpp"
#include "theorems/language/program/instruction.hpp"
#include "theorems/referee/proof/relations.hpp"

namespace attest::referee {
namespace {

using language::BallEvaluator;
using language::Formula;
using language::Program;
using rigor::Ball;

std::vector<Ball> exact_balls(std::span<const double> raw) { return {raw.begin(), raw.end()}; }

void run(BallEvaluator& balls, std::span<const double> raw, const EnclosedExpectations& expected) {
  if (expected) {
    balls.run(exact_balls(raw), expected(raw));
  } else {
    balls.run(exact_balls(raw));
  }
}

/// The relation that decides at the balls' midpoints, with its entry: the one that fails first, or the tightest.
struct Deciding {
  const Formula* relation = nullptr;
  std::size_t lhs_entry = 0, rhs_entry = 0;
  double margin = 0;
  bool denied = false;  ///< it stands under a `not`

  /// What has to hold between the sides.
  std::string_view said() const {
    if (!denied) return symbol(relation->relation);
    if (relation->relation == language::Relation::equal) return "!=";
    return symbol(rigor::denied(relation->relation));
  }
};

double relative(const Ball& lhs, const Ball& rhs, language::Relation relation) {
  const Ball difference = lhs - rhs;
  if (!difference.is_finite()) return std::numeric_limits<double>::quiet_NaN();
  const double size = std::max(std::abs(lhs.mid()), std::abs(rhs.mid()));
  const double scaled = size > 0 && std::isfinite(size) ? difference.mid() / size : difference.mid();
  if (relation == language::Relation::equal) return -std::abs(scaled);
  return says_greater(relation) ? scaled : -scaled;
}

Deciding deciding(const BallEvaluator& balls, const Formula& formula) {
  if (formula.kind == Formula::Kind::relation) {
    const auto lhs = balls.value(formula.lhs), rhs = balls.value(formula.rhs);
    const std::size_t size = std::max(lhs.size(), rhs.size());
    Deciding worst;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t i = lhs.size() == 1 ? 0 : k, j = rhs.size() == 1 ? 0 : k;
      const double margin = relative(lhs[i], rhs[j], formula.relation);
      if (worst.relation == nullptr || margin < worst.margin) worst = {&formula, i, j, margin, false};
    }
    return worst;
  }
  if (formula.kind == Formula::Kind::negation) {
    Deciding denied = deciding(balls, formula.parts.front());
    denied.margin = -denied.margin;
    denied.denied = !denied.denied;
    return denied;
  }
  Deciding chosen;
  const bool greatest = formula.kind == Formula::Kind::disjunction || formula.kind == Formula::Kind::implication;
  for (std::size_t k = formula.kind == Formula::Kind::implication ? 1 : 0; k < formula.parts.size(); ++k) {
    const Deciding part = deciding(balls, formula.parts[k]);
    if (part.relation == nullptr) continue;
    if (chosen.relation == nullptr || (greatest ? part.margin > chosen.margin : part.margin < chosen.margin))
      chosen = part;
  }
  return chosen;
}

/// Decimal of a ball: what is certain, at most 17 digits, and plain where it is a double.
std::string decimal(const Ball& ball) {
  if (!ball.is_finite()) return "not a finite number";
  std::string text = ball.to_string(17);
  // "[1.25 +/- 3e-30]" reads as 1.25: the radius is far below what is printed.
  if (const auto cut = text.find(" +/- "); cut != std::string::npos && text.front() == '[')
    text = text.substr(1, cut - 1);
  if (text.find('.') != std::string::npos && text.find('e') == std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

/// A mechanism that both doubles and balls know.
bool is_defined_call(const language::Instruction& i) {
  return i.code == language::Code::attention && i.attention->has_formula && i.in_balls && i.in_doubles;
}

}  // namespace

double ball_margin(const BallEvaluator& balls, const Formula& formula) {
  const Deciding found = deciding(balls, formula);
  if (found.relation != nullptr && std::isnan(found.margin)) return found.margin;
  if (found.relation == nullptr || language::decide(balls, formula) == language::Truth::open) return 0;
  return found.margin;
}

bool within_sets(const Program& program, std::span<const double> raw) {
  for (const language::RawInput& input : program.inputs()) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(input.raw.size()); ++k) {
      const double x = raw[input.offset + k];
      if (!std::isfinite(x)) return false;
      if (input.random) continue;
      if (x < input.lower[k] || x > input.upper[k]) return false;
      if (input.lower_open && x == input.lower[k]) return false;
      if (input.upper_open && x == input.upper[k]) return false;
    }
  }
  return true;
}

bool calls_library(const Program& program) { return std::ranges::any_of(program.instructions, is_defined_call); }

bool calls_unknown_mechanism(const Program& program) {
  return std::ranges::any_of(program.instructions, [](const language::Instruction& i) {
    return i.code == language::Code::attention && !i.attention->has_formula;
  });
}

std::optional<std::string> library_fault(const Program& program, std::span<const double> raw) {
  if (!within_sets(program, raw)) return std::nullopt;
  language::Evaluator doubles(program);
  doubles.run(raw);
  // In the precision of a double the radii say what rounding makes of the definition; the library may order its
  // operations otherwise, and promises 1e-12 of the largest entry.
  const rigor::PrecisionScope precision(53);
  BallEvaluator balls(program);
  balls.run(exact_balls(raw));
  constexpr double other_order = 64, promised = 1e-12;
  for (std::size_t r = 0; r < program.instructions.size(); ++r) {
    if (!is_defined_call(program.instructions[r])) continue;
    const auto got = doubles.value(r);
    const auto meant = balls.value(r);
    double largest = 0;
    for (const Ball& entry : meant) largest = std::max(largest, std::abs(entry.mid()));
    for (std::size_t k = 0; k < got.size(); ++k) {
      if (!meant[k].is_finite() || !std::isfinite(got[k])) continue;
      const double allowed = other_order * (meant[k].radius() + promised * largest);
      if (std::abs(got[k] - meant[k].mid()) <= allowed) continue;
      return fmt::format("the library's '{}' gives {:.10g} where its definition gives {:.10g}",
                         program.instructions[r].attention->mechanism, got[k], meant[k].mid());
    }
  }
  return std::nullopt;
}

Confirmation confirm(const Program& program, std::span<const double> raw, const EnclosedExpectations& expected) {
  Confirmation result;
  if (!within_sets(program, raw)) return result;
  for (const std::int64_t bits : {128, 512}) {
    const rigor::PrecisionScope precision(bits);
    BallEvaluator balls(program);
    run(balls, raw, expected);
    result.bits = bits;
    result.admissible = true;
    for (const Formula& condition : program.conditions()) {
      const language::Truth met = language::decide(balls, condition);
      result.admissible &= met == language::Truth::holds;
      result.excluded |= met == language::Truth::fails;
    }
    result.claim = language::decide(balls, program.claim());
    if ((result.admissible || result.excluded) && result.claim != language::Truth::open) return result;
    if (expected) return result;
  }
  // Sides that balls cannot keep apart may be equal: 0.19 > 0.19 has no exact doubles. Asked at every point that may
  // violate, so at little cost.
  constexpr language::AlgebraLimits at_a_glance{.terms = 1000, .term_products = 50'000};
  if (result.admissible && is_strict_relation(program.claim()) &&
      language::decide_by_algebra(program, program.claim(), at_a_glance).answer == language::Algebra::fails)
    result.claim = language::Truth::fails;
  return result;
}

Point point_at(const Program& program, const language::Choices& choices, std::span<const double> raw,
               const EnclosedExpectations& expected) {
  Point point;
  point.choices = choices;
  point.raw.assign(raw.begin(), raw.end());
  for (const auto& [name, value] : choices) point.values.push_back({name, {}, {value}});
  for (const std::int64_t bits : {128, 512}) {
    const rigor::PrecisionScope precision(bits);
    BallEvaluator balls(program);
    run(balls, raw, expected);
    const Deciding found = deciding(balls, program.claim());
    if (found.relation != nullptr) {
      point.lhs = decimal(balls.value(found.relation->lhs)[found.lhs_entry]);
      point.rhs = decimal(balls.value(found.relation->rhs)[found.rhs_entry]);
      point.relation = found.said();
      point.relative_margin = found.margin;
    }
    point.precision_bits = bits;
    if (bits == 128) {
      for (const language::RawInput& input : program.inputs()) {
        if (input.random) continue;
        NamedValue value{input.name, input.shape, {}};
        for (const Ball& entry : balls.value(input.element)) value.entries.push_back(entry.mid());
        point.values.push_back(std::move(value));
      }
    }
    if (point.lhs != point.rhs || expected) break;
  }
  return point;
}

std::optional<DecidingSides> deciding_sides(const Program& program, std::span<const double> raw,
                                            const EnclosedExpectations& expected) {
  BallEvaluator balls(program);
  run(balls, raw, expected);
  const Deciding found = deciding(balls, program.claim());
  if (found.relation == nullptr) return std::nullopt;
  return DecidingSides{std::string(symbol(found.relation->relation)), balls.value(found.relation->lhs)[found.lhs_entry],
                       balls.value(found.relation->rhs)[found.rhs_entry]};
}

}  // namespace attest::referee
