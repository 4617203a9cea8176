// Statements as people type them, and as nobody would: they are flattened and evaluated, or refused in a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/theorems/language/points.hpp"
#include "tests/theorems/language/random_statement.hpp"
#include "tests/theorems/language/statement_corpus.hpp"
#include "theorems/language/algebra/exact.hpp"
#include "theorems/language/evaluation/decide.hpp"
#include "theorems/language/flattening/sets.hpp"

namespace attest::language {
namespace {

/// A value for all that must be chosen: the first of its set where that is a number, otherwise 3.
Choices small_choices(const Statement& statement) {
  Choices choices;
  for (const Binder& binder : statement.binders) {
    const bool finite = binder.set.kind == SetKind::finite && binder.set.extents.empty();
    if (binder.quantifier != Quantifier::limit && binder.set.kind != SetKind::range && !finite) continue;
    const bool known = !binder.set.args.empty() && binder.set.args[0]->op == Op::number;
    for (const std::string& name : binder.names) choices[name] = known ? binder.set.args[0]->value.to_double() : 3;
  }
  return choices;
}

/// Evaluates at a few drawn points; doubles and balls must not contradict each other.
void evaluate(const Program& program) {
  Evaluator doubles(program);
  BallEvaluator balls(program);
  std::vector<double> raw(program.dimension()), gradient(program.dimension());
  for (std::uint64_t sample = 0; sample < 3; ++sample) {
    random::Stream stream(17, 1, sample);
    draw(program, stream, raw);
    doubles.run(raw);
    balls.run(std::vector<rigor::Ball>(raw.begin(), raw.end()));
    const double margin = margin_gradient(doubles, program.claim(), true, gradient);
    // Beyond the rounding of a few hundred operations.
    constexpr double rounding = 1e-6;
    if (margin > rounding) {
      EXPECT_NE(decide(balls, program.claim()), Truth::fails);
    }
    if (margin < -rounding) {
      EXPECT_NE(decide(balls, program.claim()), Truth::holds);
    }
  }
  AlgebraLimits limits;
  limits.term_products = 100000;
  EXPECT_NO_THROW(decide_by_algebra(program, program.claim(), limits));
}

TEST(WholeStatements, OfTheCorpusAreFlattenedAndEvaluated) {
  for (const std::string& text : statement_corpus()) {
    SCOPED_TRACE(text);
    const Statement statement = read_statement(text);
    Choices choices = small_choices(statement);
    try {
      evaluate(compile(statement, choices));
    } catch (const Problem& problem) {
      // A limit may run along a name that no binder gives, and a vector is raised by .^ only.
      EXPECT_THAT(problem.what(), testing::AnyOf(testing::HasSubstr("is not bound"), testing::HasSubstr("write .^")));
    }
  }
}

TEST(WholeStatements, ThatHaveNoMeaningAreRefusedInASentence) {
  int evaluated = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    const Statement statement = random_statement(seed);
    try {
      evaluate(compile(statement, small_choices(statement), std::size_t{64} << 20));
      ++evaluated;
    } catch (const Problem& problem) {
      EXPECT_FALSE(problem.sentence().empty());
      ++refused;
    }
  }
  // Both happen, so both are tested.
  EXPECT_GT(evaluated, 20);
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace attest::language
