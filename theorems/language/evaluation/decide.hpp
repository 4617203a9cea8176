// What an evaluation says of a formula, and how far its doubles may be from the truth.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "theorems/language/program.hpp"

namespace attest::language {

/// What doubles or balls say of a formula.
enum class Truth : std::uint8_t { holds, fails, open };

/// The relation, and the entry of it, that gives a formula its margin.
struct ActiveRelation {
  double margin = 0;                  ///< negative where the formula fails; NaN where a side is NaN
  const Formula* relation = nullptr;  ///< none where the formula has no relation
  std::size_t lhs_entry = 0, rhs_entry = 0;
  double direction = 0;  ///< margin = direction (lhs - rhs) / scale
  double scale = 1;      ///< 1 unless relative
};

/// Signed margin in doubles: the least over conjunctions, the greatest over disjunctions, of (rhs - lhs) for <= ...,
/// -|lhs - rhs| for =. A strict relation at equality has margin 0: `relation` tells. `relative` divides each by the
/// size of its terms: the largest absolute value among the two sides and the summands they are made of (1 where all are
/// 0).
ActiveRelation active_relation(const Evaluator& at, const Formula& formula, bool relative);

/// `active_relation(...).margin`.
double margin(const Evaluator& at, const Formula& formula, bool relative);

/// The margin, and its gradient with respect to the raw numbers (the scale held fixed) added into `gradient`.
double margin_gradient(Evaluator& at, const Formula& formula, bool relative, std::span<double> gradient);

/// An entry of a register, and its absolute value relative to the size of its terms.
struct Factor {
  std::size_t reg = 0, entry = 0;
  double slack = 1;
};

/// Of the products, quotients, powers, roots and absolute values that an entry is made of, the factor that is least
/// relative to its terms: where it changes its sign or vanishes, so does the entry.
Factor tightest_factor(const Evaluator& at, std::size_t reg, std::size_t entry);

/// Certain truth at the balls: `fails` only when it certainly fails for every number in them.
Truth decide(const BallEvaluator& at, const Formula& formula);

/// What is known of lhs - rhs of a relation whose sides are scalars or arrays: `decide` from the differences' balls.
Truth decide_differences(Relation relation, std::span<const rigor::Ball> differences);

/// The first operation whose result is not a number at the last `run`, although what it takes are numbers.
struct Undefined {
  std::size_t reg = 0;
  Expr written;          ///< the expression that asked for it; may be empty
  std::string sentence;  ///< "division by zero in 'x/y'"
};
std::optional<Undefined> undefined_at(const Evaluator& at);

/// For each entry of `reg` at the point `raw`, an upper bound of |double value - true value|, from a ball evaluation at
/// the thread's working precision; inf where the balls do not know.
std::vector<double> rounding_bound(const Program& program, std::size_t reg, std::span<const double> raw);
/// The same of two evaluators that were run at one point.
std::vector<double> rounding_bound(const Evaluator& doubles, const BallEvaluator& balls, std::size_t reg);

}  // namespace attest::language
