// A statement at fixed whole numbers, flattened: a straight line of array operations that is evaluated in doubles, with
// gradients, and in balls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/rigor/ball.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/language/tree.hpp"

namespace attest::language {

/// rows x cols; a scalar is 1 x 1 with rank 0, a vector n x 1 with rank 1.
struct Shape {
  int rank = 0;
  std::int64_t rows = 1, cols = 1;
  std::int64_t size() const { return rows * cols; }
  bool operator==(const Shape&) const = default;
};

/// What is chosen before a program is made: every variable of a range or of a finite set (sizes, norms' orders,
/// indices, depths). Values of finite sets may be inf or no whole numbers.
using Choices = std::map<std::string, double, std::less<>>;

/// One quantified variable of a program as stored: the raw numbers from which the set's element is made. For R^n,
/// intervals and balls they are the element itself; for simplex(n) non-negative weights that are divided by their sum;
/// for sphere(n) a vector that is divided by its norm; stochastic(m, n): rows of weights; symmetric(n): upper triangle;
/// psd(n): B with B B'; orthogonal(n): see sets.hpp; attention(n, d): queries and keys.
struct RawInput {
  std::string name;
  Set set;                         ///< as written
  Shape raw;                       ///< of the raw numbers
  Shape shape;                     ///< of the element
  std::size_t offset = 0;          ///< of the first raw number in the flat vector
  std::vector<double> lower = {};  ///< of each raw number; -inf and inf where it has none
  std::vector<double> upper = {};
  bool lower_open = false, upper_open = false;
  bool random = false;  ///< bound by `random`
};

enum class Relation : std::uint8_t { less, less_equal, greater, greater_equal, equal };

/// A relation between two arrays of one shape (a scalar stands for all entries), or logic over relations.
struct Formula {
  enum class Kind : std::uint8_t { relation, conjunction, disjunction, negation, implication };
  Kind kind = Kind::relation;
  Relation relation = Relation::less_equal;
  std::size_t lhs = 0, rhs = 0;  ///< registers
  Expr written_lhs = {}, written_rhs = {};
  std::vector<Formula> parts = {};
};

/// E[...] or P[...] in a statement: a number that an integral or samples give.
struct Expectation {
  std::size_t at = 0;  ///< register that stands for it
  bool probability = false;
  Expr written;
  std::size_t integrand = 0;  ///< register of the integrand (for a probability: see `event`)
  Formula event = {};
};

struct Instruction;

/// The straight line. Value type; cheap to copy is not promised.
class Program {
 public:
  Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  Program(const Program&);
  ~Program();

  const std::vector<RawInput>& inputs() const { return inputs_; }
  /// Length of the flat vector of raw numbers.
  std::size_t dimension() const { return dimension_; }
  const Formula& claim() const { return claim_; }
  /// `where` of binders and statement: all must hold.
  const std::vector<Formula>& conditions() const { return conditions_; }
  const std::vector<Expectation>& expectations() const { return expectations_; }
  std::size_t registers() const;
  Shape shape_of(std::size_t reg) const;

  // Filled by `compile`, read by the evaluators.
  std::vector<Instruction> instructions;
  std::vector<RawInput> inputs_;
  std::size_t dimension_ = 0;
  Formula claim_;
  std::vector<Formula> conditions_;
  std::vector<Expectation> expectations_;
};

/// Flattens a statement at these choices. Comprehensions, recursions, definitions and index expressions are unrolled;
/// `extra` (a best constant's value, an n of a limit) adds values for further names. Errors: `Problem` where shapes do
/// not fit (naming both), an index leaves its range, an extent is not a whole number >= 1, or the program would need
/// more than `memory_limit` bytes a point.
Program compile(const Statement& statement, const Choices& choices);

/// Sizes, orders and other whole or finite variables, in the order of the binders, with the sets they range over at the
/// choices made so far.
std::vector<std::string> chosen_names(const Statement& statement);

/// All registers' values at a point in doubles, then gradients backwards. One object a thread; reused between points.
class Evaluator {
 public:
  explicit Evaluator(const Program& program);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;

  /// Evaluates every register. `expected` gives the values of `program.expectations()`, if any.
  void run(std::span<const double> raw, std::span<const double> expected = {});
  /// The entries of a register after `run`.
  std::span<const double> value(std::size_t reg) const;
  /// d/d raw of sum_i weight_i value(reg)_i, added into `gradient` (length `dimension()`), by reverse mode.
  void gradient(std::size_t reg, std::span<const double> weight, std::span<double> gradient);

 private:
  struct State;
  State* state_;
};

/// All registers at exactly the doubles `raw`, or over boxes of raw numbers, in ball arithmetic at the thread's working
/// precision. Registers that are undefined somewhere in the box are not finite.
class BallEvaluator {
 public:
  explicit BallEvaluator(const Program& program);
  ~BallEvaluator();
  BallEvaluator(BallEvaluator&&) noexcept;

  void run(std::span<const rigor::Ball> raw, std::span<const rigor::Ball> expected = {});
  std::span<const rigor::Ball> value(std::size_t reg) const;

 private:
  struct State;
  State* state_;
};

/// What doubles or balls say of a formula.
enum class Truth : std::uint8_t { holds, fails, open };

/// Signed margin in doubles: the least over conjunctions, the greatest over disjunctions, of (rhs - lhs) for <= ...,
/// -|lhs - rhs| for =, negative where the formula fails; NaN where a side is NaN. `relative` divides each by the size
/// of its terms, max(|lhs|, |rhs|, scale of the sides' summands).
double margin(const Evaluator& at, const Formula& formula, bool relative);

/// Certain truth at the balls: `fails` only when it certainly fails for every number in them.
Truth decide(const BallEvaluator& at, const Formula& formula);

}  // namespace attest::language
