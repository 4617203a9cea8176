#include "tests/theorems/language/random_statement.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "theorems/language/make.hpp"
#include "theorems/language/vocabulary.hpp"

namespace attest::language {
namespace {

constexpr std::array arithmetic = {Op::add,
                                   Op::subtract,
                                   Op::multiply,
                                   Op::divide,
                                   Op::power,
                                   Op::times_elementwise,
                                   Op::divide_elementwise,
                                   Op::power_elementwise,
                                   Op::index,
                                   Op::transpose,
                                   Op::negate};
constexpr std::array relations = {Op::less, Op::less_equal, Op::greater, Op::greater_equal, Op::equal};
constexpr std::array logic = {Op::conjunction, Op::disjunction, Op::implication, Op::negation};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : words_(seed) {}

  Statement statement() {
    Prefix prefix;
    prefix.let("a", {}, value(2)).let("f", {"s", "t"}, value(2));
    prefix.forall({count("n", 1, static_cast<int>(below(64)) + 1), vector("x", Variable{"n"})});
    prefix.forall({scalar("y", value_of_numbers(1), infinity(), std::array{"[)", "()"}[below(2)]), matrix("M", 2, 3)});
    // Only names bound so far: numbers.
    if (below(2) == 0) prefix.given(both(leq(value_of_numbers(2), 7), either(less(0, 1), leq(value_of_numbers(1), 1))));
    prefix.forall(
        {member("q", "ball", {Term(Variable{"n"}), Term(value_of_numbers(2))}), one_of("p", {1, 2, infinity()})});
    if (below(2) == 0) prefix.where(formula(2));
    if (below(3) == 0) {
      prefix.where(equal(call("K", {0}), value(1)));
      prefix.where(equal(call("K", {Variable{"l"} + 1}), call("K", {Variable{"l"}}) * value(2)));
    }
    return prefix.says(formula(5));
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(words_() % n); }

  Expr constant() {
    const auto numerator = static_cast<std::int64_t>(below(30)) - 10;
    switch (below(4)) {
      case 0:
        return ratio(numerator, 1);
      case 1:
        return ratio(numerator, static_cast<std::int64_t>(below(20)) + 1);
      case 2:
        return number("1e" + std::to_string(static_cast<int>(below(60)) - 30));
      default:
        return pi();
    }
  }

  /// Without names of the statement.
  Expr value_of_numbers(int depth) {
    if (depth == 0) return constant();
    return safe(arithmetic[below(5)], value_of_numbers(depth - 1), constant());
  }

  /// A quotient of two numbers is a number, and none has the denominator 0.
  static Expr safe(Op op, const Expr& a, const Expr& b) {
    const bool zero = op == Op::divide && b->op == Op::number && b->value == rigor::Rational();
    return make(zero ? Op::add : op, {a, b});
  }

  Expr leaf() {
    constexpr std::array names = {"n", "x", "y", "M", "q", "p"};
    return below(3) == 0 ? constant() : Term(Variable{names[below(names.size())]}).expr();
  }

  Expr value(int depth) {
    if (depth == 0) return leaf();
    switch (below(12)) {
      case 0:
        return call("norm", {value(depth - 1), value(depth - 1)});
      case 1:
        return call("max", {value(depth - 1), value(depth - 1)});
      case 2:
        return call("softmax", {value(depth - 1)});
      case 3: {
        const std::string index = "i" + std::to_string(depth) + "_" + std::to_string(indices_++);
        return over(std::array{"sum", "prod", "max", "min", "mean"}[below(5)], index, 1, value(depth - 1),
                    value(depth - 1) * Term(Variable{index}));
      }
      case 4:
        return make(Op::array,
                    {make(Op::array, {value(depth - 1), constant()}), make(Op::array, {constant(), leaf()})});
      case 5:
        return make(Op::array, {value(depth - 1)});
      default: {
        const Op op = arithmetic[below(arithmetic.size())];
        if (op == Op::negate || op == Op::transpose) return make(op, {value(depth - 1)});
        return safe(op, value(depth - 1), value(depth - 1));
      }
    }
  }

  Expr formula(int depth) {
    if (depth <= 2 || below(4) == 0)
      return make(relations[below(relations.size())], {value(depth - 1), value(depth - 1)});
    const Op op = logic[below(logic.size())];
    if (op == Op::negation) return make(op, {formula(depth - 1)});
    return make(op, {formula(depth - 1), formula(depth - 1)});
  }

  std::mt19937_64 words_;
  int indices_ = 0;
};

}  // namespace

Statement random_statement(std::uint64_t seed) { return Generator(seed).statement(); }

}  // namespace attest::language
