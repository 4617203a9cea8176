// A statement at fixed whole numbers, flattened: a straight line of array operations that is evaluated in doubles, with
// gradients, and in balls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/rigor/ball.hpp"
#include "kernels/rigor/relation.hpp"
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

/// One quantified variable of a program as stored: the raw numbers from which the set's element is made, so that every
/// choice of them within their bounds is admissible. Which raw numbers a set takes stands in sets.hpp; for R^n and for
/// intervals with known ends they are the element itself.
struct RawInput {
  std::string name;
  Quantifier quantifier = Quantifier::forall;
  Set set;                                      ///< as written; not of a random variable
  Law law = {};                                 ///< of a random variable, as written
  std::vector<std::size_t> law_arguments = {};  ///< registers of the law's arguments
  std::size_t element = 0;                      ///< register that holds the element
  Shape raw;                                    ///< of the raw numbers
  Shape shape;                                  ///< of the element
  std::size_t offset = 0;                       ///< of the first raw number in the flat vector
  std::vector<double> lower = {};               ///< of each raw number; -inf and inf where it has none
  std::vector<double> upper = {};
  bool lower_open = false, upper_open = false;
  /// The ends of an interval that no double is: `lower` and `upper` lie next to them, inside. Proofs reach the ends.
  std::optional<rigor::Rational> lower_end = {}, upper_end = {};
  bool whole = false;   ///< raw numbers are whole: positions in a finite set, counted from 0
  bool random = false;  ///< bound by `random`: the raw numbers are the draw itself
};

using rigor::Relation;

/// A relation between two arrays of one shape (a scalar stands for all entries), or logic over relations.
struct Formula {
  /// `order`: lhs = O(rhs) along the statement's limit variable, which no single point decides.
  enum class Kind : std::uint8_t { relation, conjunction, disjunction, negation, implication, order };
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
  Program& operator=(const Program&);
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
  std::size_t entries_ = 0;  ///< of all registers together
  std::size_t scratch_ = 0;  ///< doubles that the evaluation in doubles keeps for its way back
  Formula claim_;
  std::vector<Formula> conditions_;
  std::vector<Expectation> expectations_;
};

/// What a program may take for one point: values, gradients and balls.
inline constexpr std::size_t default_memory_limit = std::size_t{2} << 30;
inline constexpr std::size_t bytes_a_step = 200;

/// Flattens a statement at these choices. Comprehensions, recursions, definitions and index expressions are unrolled.
/// `choices` may name further variables (a best constant, the n of a limit): they become numbers; a best constant that
/// it does not name is an input. Errors: `Problem` where shapes do not fit (naming both), an index leaves its range, an
/// extent is not a whole number >= 1, the program would need more than `memory_limit` bytes per point, or its making
/// more than memory_limit / bytes_a_step steps (ten million by default, some ten seconds; terms that are numbers take
/// no memory).
Program compile(const Statement& statement, const Choices& choices, std::size_t memory_limit = default_memory_limit);

/// A program without a claim whose register `result` is the expression over the statement's variables (tests, `given`
/// formulas, witnesses).
struct ExpressionProgram {
  Program program;
  std::size_t result = 0;
};
ExpressionProgram compile_expression(const Statement& variables, const Expr& expression, const Choices& choices,
                                     std::size_t memory_limit = default_memory_limit);

/// Sizes, orders and other whole or finite variables that `compile` wants chosen, in the order of the binders.
std::vector<std::string> chosen_names(const Statement& statement);

/// All registers' values at a point in doubles, then gradients backwards. One object per thread; reused between points.
/// The program must outlive it.
class Evaluator {
 public:
  explicit Evaluator(const Program& program);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  Evaluator& operator=(Evaluator&&) = delete;

  const Program& program() const;
  /// Evaluates every register. `expected` gives the values of `program.expectations()`, if any (NaN where it is
  /// shorter). Errors: std::invalid_argument where `raw` has not `dimension()` numbers.
  void run(std::span<const double> raw, std::span<const double> expected = {});
  /// The entries of a register after `run`; NaN where an operation is undefined (0/0, 1/0, log of 0, ...).
  std::span<const double> value(std::size_t reg) const;
  /// d/d raw of sum_i weight_i value(reg)_i, added into `gradient` (length `dimension()`), by reverse mode. Where a
  /// function has a kink (max, abs, relu, a norm at 0) one of its one-sided derivatives is taken.
  void gradient(std::size_t reg, std::span<const double> weight, std::span<double> gradient);
  /// The same for the i-th entry of one register less the j-th of another, in one sweep.
  void gradient_of_difference(std::size_t reg, std::size_t i, std::size_t less, std::size_t j,
                              std::span<double> gradient);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All registers at exactly the doubles `raw`, or over boxes of raw numbers, in ball arithmetic at the thread's working
/// precision. Registers that are undefined somewhere in the box are not finite. The program must outlive it.
class BallEvaluator {
 public:
  explicit BallEvaluator(const Program& program);
  ~BallEvaluator();
  BallEvaluator(BallEvaluator&&) noexcept;
  BallEvaluator(const BallEvaluator&) = delete;
  BallEvaluator& operator=(const BallEvaluator&) = delete;
  BallEvaluator& operator=(BallEvaluator&&) = delete;

  const Program& program() const;
  /// Errors: std::invalid_argument where `raw` has not `dimension()` balls.
  void run(std::span<const rigor::Ball> raw, std::span<const rigor::Ball> expected = {});
  std::span<const rigor::Ball> value(std::size_t reg) const;
  /// Enclosures of d/d raw of sum_i weight_i value(reg)_i over the box of the last `run`, added into `gradient`; where
  /// a function has a kink inside of the box, of its generalised (Clarke) gradient, for which the mean value theorem
  /// holds. Entries are not finite where a derivative is not known.
  void gradient(std::size_t reg, std::span<const rigor::Ball> weight, std::span<rigor::Ball> gradient);
  /// The same for the i-th entry of one register less the j-th of another.
  void gradient_of_difference(std::size_t reg, std::size_t i, std::size_t less, std::size_t j,
                              std::span<rigor::Ball> gradient);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace attest::language
