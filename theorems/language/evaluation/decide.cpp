#include "theorems/language/evaluation/decide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "theorems/language/program/instruction.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {
namespace {

using rigor::Ball;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The largest absolute value among the summands that entry `k` of a register is made of.
double size_of_terms(const Evaluator& at, std::size_t reg, std::size_t k, int depth = 0) {
  const Instruction& i = at.program().instructions[reg];
  const std::span<const double> y = at.value(reg);
  if (y.size() == 1) k = 0;
  double size = std::fabs(y[k]);
  constexpr int deepest = 16;
  if (depth == deepest) return size;
  const auto include = [&](double other) { size = other > size ? other : size; };
  const bool sum = i.code == Code::binary && (i.binary == Binary::add || i.binary == Binary::subtract);
  if (sum || (i.code == Code::unary && i.unary == Unary::negate))
    for (const std::uint32_t arg : i.args) include(size_of_terms(at, arg, k, depth + 1));
  const auto terms = [&](std::size_t arg) { return at.value(i.args[arg]); };
  switch (i.code) {
    case Code::sum: {
      const auto length = static_cast<std::size_t>(i.length);
      for (const double term : terms(0).subspan(k * length, length)) include(std::fabs(term));
      break;
    }
    case Code::matmul: {
      const auto cols = static_cast<std::size_t>(i.shape.cols);
      const std::size_t inner = terms(0).size() / static_cast<std::size_t>(i.shape.rows);
      for (std::size_t l = 0; l < inner; ++l)
        include(std::fabs(terms(0)[(k / cols) * inner + l] * terms(1)[l * cols + k % cols]));
      break;
    }
    case Code::gather:
      if (const std::int32_t from = (*i.table)[k]; from >= 0)
        include(size_of_terms(at, i.args[0], static_cast<std::size_t>(from), depth + 1));
      break;
    default:
      break;
  }
  return size;
}

ActiveRelation of_relation(const Evaluator& at, const Formula& f, bool relative) {
  const std::span<const double> lhs = at.value(f.lhs), rhs = at.value(f.rhs);
  ActiveRelation result{.margin = inf, .relation = &f};
  const std::size_t n = std::max(lhs.size(), rhs.size());
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = lhs.size() == 1 ? 0 : k, j = rhs.size() == 1 ? 0 : k;
    const double difference = lhs[i] - rhs[j];
    double direction = says_greater(f.relation) ? 1 : -1;
    if (f.relation == Relation::equal) direction = difference > 0 ? -1 : 1;
    double scale = 1;
    if (relative) {
      scale = std::max(size_of_terms(at, f.lhs, i), size_of_terms(at, f.rhs, j));
      if (!(scale > 0) || std::isinf(scale)) scale = 1;
    }
    double margin = direction * difference / scale;
    // Both sides infinite, of one sign, say nothing.
    if (std::isnan(lhs[i]) || std::isnan(rhs[j])) margin = nan;
    if (std::isnan(margin) || margin < result.margin) {
      result = {margin, &f, i, j, direction, scale};
      if (std::isnan(margin)) return result;
    }
  }
  return result;
}

ActiveRelation turned(ActiveRelation a) {
  a.margin = -a.margin;
  a.direction = -a.direction;
  return a;
}

/// `sign` 1 for the least of two margins, -1 for the greatest; NaN wins.
ActiveRelation choose(const ActiveRelation& a, const ActiveRelation& b, double sign) {
  if (std::isnan(a.margin)) return a;
  if (std::isnan(b.margin)) return b;
  return sign * b.margin < sign * a.margin ? b : a;
}

}  // namespace

ActiveRelation active_relation(const Evaluator& at, const Formula& f, bool relative) {
  switch (f.kind) {
    case Formula::Kind::relation:
      return of_relation(at, f, relative);
    case Formula::Kind::order:
      return {.margin = nan, .relation = &f};
    case Formula::Kind::negation:
      return turned(active_relation(at, f.parts[0], relative));
    case Formula::Kind::implication: {
      // False where the assumption fails strictly; what is undefined under a failed assumption does not matter.
      const auto assumed = turned(active_relation(at, f.parts[0], relative));
      const auto concluded = active_relation(at, f.parts[1], relative);
      if (assumed.margin > 0 && std::isnan(concluded.margin)) return assumed;
      return choose(assumed, concluded, -1);
    }
    case Formula::Kind::conjunction:
    case Formula::Kind::disjunction:
      break;
  }
  const double sign = f.kind == Formula::Kind::conjunction ? 1 : -1;
  ActiveRelation result{.margin = sign * inf};
  for (const Formula& part : f.parts) {
    const auto one = active_relation(at, part, relative);
    result = result.relation == nullptr ? one : choose(result, one, sign);
  }
  return result;
}

double margin(const Evaluator& at, const Formula& formula, bool relative) {
  return active_relation(at, formula, relative).margin;
}

double margin_gradient(Evaluator& at, const Formula& formula, bool relative, std::span<double> gradient) {
  const ActiveRelation active = active_relation(at, formula, relative);
  if (active.relation == nullptr || !(active.scale > 0) || active.direction == 0) return active.margin;
  std::vector<double> own(gradient.size(), 0.0);
  at.gradient_of_difference(active.relation->lhs, active.lhs_entry, active.relation->rhs, active.rhs_entry, own);
  const double factor = active.direction / active.scale;
  for (std::size_t k = 0; k < own.size(); ++k) gradient[k] += factor * own[k];
  return active.margin;
}

Factor tightest_factor(const Evaluator& at, std::size_t reg, std::size_t entry) {
  const Instruction& i = at.program().instructions[reg];
  Factor tightest{reg, entry, 1};
  bool factors = true;
  const auto include = [&](std::size_t arg, std::size_t k) {
    const Factor one = tightest_factor(at, i.args[arg], at.value(i.args[arg]).size() == 1 ? 0 : k);
    if (one.slack < tightest.slack) tightest = one;
  };
  const bool root =
      i.unary == Unary::negate || i.unary == Unary::abs || i.unary == Unary::sqrt || i.unary == Unary::cbrt;
  if ((i.code == Code::unary && root) || i.code == Code::power) {
    include(0, entry);
  } else if (i.code == Code::binary && (i.binary == Binary::multiply || i.binary == Binary::divide)) {
    include(0, entry);
    include(1, entry);
  } else if (i.code == Code::gather && (*i.table)[entry] >= 0) {
    include(0, static_cast<std::size_t>((*i.table)[entry]));
  } else {
    factors = false;
  }
  if (factors) return tightest;
  const double size = size_of_terms(at, reg, entry);
  const double slack = std::fabs(at.value(reg)[entry]) / size;
  if (std::isfinite(size) && slack < 1) tightest.slack = slack;
  return tightest;
}

Truth decide_differences(Relation relation, std::span<const Ball> differences) {
  bool all = true;
  for (const Ball& d : differences) {
    bool holds = false, fails = false;
    if (d.is_finite()) {
      switch (relation) {
        case Relation::less:
          holds = d.is_negative(), fails = d.is_nonnegative();
          break;
        case Relation::less_equal:
          holds = d.is_nonpositive(), fails = d.is_positive();
          break;
        case Relation::greater:
          holds = d.is_positive(), fails = d.is_nonpositive();
          break;
        case Relation::greater_equal:
          holds = d.is_nonnegative(), fails = d.is_negative();
          break;
        case Relation::equal:
          holds = arb_is_zero(d.raw()) != 0, fails = !d.contains_zero();
          break;
      }
    }
    if (fails) return Truth::fails;
    all = all && holds;
  }
  return all ? Truth::holds : Truth::open;
}

namespace {

/// Undefined somewhere: what an undefined relation says is open, not false.
Truth of_relation(const BallEvaluator& at, const Formula& f) {
  const std::span<const Ball> lhs = at.value(f.lhs), rhs = at.value(f.rhs);
  std::vector<Ball> differences;
  for (std::size_t k = 0; k < std::max(lhs.size(), rhs.size()); ++k)
    differences.push_back(lhs[lhs.size() == 1 ? 0 : k] - rhs[rhs.size() == 1 ? 0 : k]);
  return decide_differences(f.relation, differences);
}

Truth opposite(Truth t) { return t == Truth::open ? t : (t == Truth::holds ? Truth::fails : Truth::holds); }

}  // namespace

Truth decide(const BallEvaluator& at, const Formula& f) {
  switch (f.kind) {
    case Formula::Kind::relation:
      return of_relation(at, f);
    case Formula::Kind::order:
      return Truth::open;
    case Formula::Kind::negation:
      return opposite(decide(at, f.parts[0]));
    case Formula::Kind::implication: {
      const Truth assumed = opposite(decide(at, f.parts[0])), concluded = decide(at, f.parts[1]);
      if (assumed == Truth::holds || concluded == Truth::holds) return Truth::holds;
      return assumed == Truth::fails && concluded == Truth::fails ? Truth::fails : Truth::open;
    }
    case Formula::Kind::conjunction:
    case Formula::Kind::disjunction:
      break;
  }
  const Truth settling = f.kind == Formula::Kind::conjunction ? Truth::fails : Truth::holds;
  bool open = false;
  for (const Formula& part : f.parts) {
    const Truth one = decide(at, part);
    if (one == settling) return settling;
    open = open || one == Truth::open;
  }
  return open ? Truth::open : opposite(settling);
}

namespace {

/// What went wrong at an operation, in a few words.
std::string failure(const Instruction& i) {
  switch (i.code) {
    case Code::binary:
      if (i.binary == Binary::divide) return "division by zero";
      if (i.binary == Binary::power) return "a power that is not defined";
      if (i.binary == Binary::divergence_term) return "kl where q has no weight and p has";
      return "infinity less infinity, or a number beyond the range";
    case Code::power:
      return i.number.is_whole() ? "division by zero" : "a root of a negative number";
    case Code::unary:
      switch (i.unary) {
        case Unary::log:
        case Unary::log2:
        case Unary::log10:
        case Unary::log1p:
          return "the logarithm of a number that is not positive";
        case Unary::sqrt:
          return "the square root of a negative number";
        default:
          return "an argument outside of the function's domain";
      }
    case Code::inverse:
      return "the inverse of a singular matrix";
    case Code::log_determinant:
      return "the logarithm of a determinant that is not positive";
    case Code::share:
      return "weights that are all zero";
    case Code::direction:
      return "the direction of the zero vector";
    case Code::orthogonal:
      return "a reflection along the zero vector";
    case Code::expected:
      return "an expectation without a value";
    default:
      return "a number beyond the range of floating point";
  }
}

}  // namespace

std::optional<Undefined> undefined_at(const Evaluator& at) {
  const auto& all = at.program().instructions;
  const auto has_nan = [&at](std::size_t reg) {
    return std::ranges::any_of(at.value(reg), [](double t) { return std::isnan(t); });
  };
  for (std::size_t reg = 0; reg < all.size(); ++reg) {
    if (!all[reg].in_doubles || !has_nan(reg)) continue;
    std::string sentence = failure(all[reg]);
    if (all[reg].written) sentence += fmt::format(" in '{}'", normal_form(all[reg].written));
    return Undefined{reg, all[reg].written, std::move(sentence)};
  }
  return std::nullopt;
}

std::vector<double> rounding_bound(const Evaluator& doubles, const BallEvaluator& balls, std::size_t reg) {
  std::vector<double> result;
  const auto approximate = doubles.value(reg);
  const auto enclosed = balls.value(reg);
  for (std::size_t k = 0; k < approximate.size(); ++k) {
    const bool known = std::isfinite(approximate[k]) && enclosed[k].is_finite();
    result.push_back(known ? rigor::abs(enclosed[k] - Ball(approximate[k])).upper() : inf);
  }
  return result;
}

std::vector<double> rounding_bound(const Program& program, std::size_t reg, std::span<const double> raw) {
  Evaluator doubles(program);
  doubles.run(raw);
  BallEvaluator balls(program);
  balls.run(std::vector<Ball>(raw.begin(), raw.end()));
  return rounding_bound(doubles, balls, reg);
}

}  // namespace attest::language
