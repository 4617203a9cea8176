// Elements of the sets are what the sets say, at drawn and at damaged raw numbers.
#include "theorems/language/flattening/sets.hpp"

#include <gtest/gtest.h>

#include "kernels/rigor/ball.hpp"
#include "tests/theorems/language/points.hpp"
#include "theorems/language/evaluation/decide.hpp"

namespace attest::language {
namespace {

using rigor::Ball;

struct Member {
  std::string set;
  std::string definition;  ///< of z, up to rounding
};

class EverySet : public testing::TestWithParam<Member> {};

/// Rounding of a few dozen operations on numbers of size one.
constexpr double rounding = 1e-13;

TEST_P(EverySet, ElementsSatisfyItsDefinition) {
  const Statement statement = read_statement("forall z in " + GetParam().set + ": " + GetParam().definition);
  const Program program = compile(statement, {});
  Evaluator at(program);
  std::vector<double> raw(program.dimension());
  for (std::uint64_t sample = 0; sample < 200; ++sample) {
    random::Stream stream(5, 1, sample);
    draw(program, stream, raw);
    at.run(raw);
    const double margin = language::margin(at, program.claim(), true);
    ASSERT_GE(margin, -rounding) << "sample " << sample;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Definitions, EverySet,
    testing::Values(Member{"[2, 3)", "2 <= z and z < 3"}, Member{"(0, inf)", "z > 0"}, Member{"(-inf, 1]", "z <= 1"},
                    Member{"[0, 1]^3", "z >= 0 and z <= 1"}, Member{"{0.1, 0.7}^4", "z >= 0.1 and z <= 0.7"},
                    Member{"simplex(5)", "sum(z) = 1 and z >= 0"}, Member{"sphere(4)", "norm(z) = 1"},
                    Member{"sphere(1)", "abs(z) = 1"}, Member{"ball(3, 5/2)", "norm(z) <= 5/2"},
                    Member{"stochastic(3, 4)", "z*ones(4) = ones(3) and z >= 0"},
                    Member{"orthogonal(1)", "z*z' = identity(1)"},
                    Member{"orthogonal(5)", "z*z' = identity(5) and z'*z = identity(5)"},
                    Member{"symmetric(4)", "z = z'"}, Member{"psd(4)", "z = z' and eigmin(z) >= -1e-13*opnorm(z)"},
                    Member{"attention(4, 2)", "z*ones(4) = ones(4) and z >= 0"}));

TEST(Sets, OrthogonalMatricesHaveBothDeterminants) {
  const auto e = expression_over("Q in orthogonal(3)", "det(Q)");
  Evaluator at(e.program);
  bool positive = false, negative = false;
  for (std::uint64_t sample = 0; sample < 20; ++sample) {
    at.run(moderate_point(e.program, sample));
    (at.value(e.result)[0] > 0 ? positive : negative) = true;
  }
  EXPECT_TRUE(positive && negative);
}

TEST(Sets, AnEndThatDependsOnAnotherVariableIsKept) {
  const Program program = compile(
      read_statement("forall L in (0, 4], t in [0, L], u in [L, inf), v in (-inf, L): t <= L and u >= L and v <= L"),
      {});
  Evaluator at(program);
  std::vector<double> raw(program.dimension());
  for (std::uint64_t sample = 0; sample < 100; ++sample) {
    random::Stream stream(6, 1, sample);
    draw(program, stream, raw);
    at.run(raw);
    ASSERT_GE(margin(at, program.claim(), true), -rounding);
  }
}

TEST(Sets, OpenEndsAreExcludedAndClosedOnesReached) {
  const Program program = compile(read_statement("forall a in (0, 1], b in [0, inf): a <= b"), {});
  std::vector<double> raw = {-5, -5};
  project(program, raw);
  EXPECT_GT(raw[0], 0);
  EXPECT_EQ(raw[1], 0);
  raw = {5, std::numeric_limits<double>::quiet_NaN()};
  project(program, raw);
  EXPECT_EQ(raw[0], 1);
  EXPECT_EQ(raw[1], 0);
}

TEST(Sets, EndsThatAreNoDoublesAreRoundedInwards) {
  // 0.1 lies below the nearest double, 1/3 above.
  const Program program = compile(read_statement("forall a in [0.1, 1/3]: a <= 1"), {});
  const RawInput& a = program.inputs()[0];
  EXPECT_GE(rigor::Rational::from_double(a.lower[0]), rigor::Rational(1, 10));
  EXPECT_LE(rigor::Rational::from_double(a.upper[0]), rigor::Rational(1, 3));
}

TEST(Sets, ElementsOfFiniteSetsAreExact) {
  // 1/10 as written, not the double next to it.
  const Program program = compile(read_statement("forall z in {0.1, 0.7}^2: z <= 1"), {});
  BallEvaluator at(program);
  at.run(std::vector<Ball>{Ball(0), Ball(1)});
  const Ball first = at.value(program.claim().lhs)[0];
  EXPECT_TRUE(overlaps(first, Ball::from_rational(1, 10)));
  EXPECT_FALSE(first.contains(0.1));
  EXPECT_TRUE(program.inputs()[0].whole);
}

TEST(Sets, IntervalsWhoseEndsCrossHoldNothing) {
  const Program program = compile(read_statement("forall a, b in R, t in [a, b]: t >= a"), {});
  ASSERT_EQ(program.conditions().size(), 1U);
  BallEvaluator at(program);
  at.run(std::vector<Ball>{Ball(0), Ball(-1), Ball(1)});
  EXPECT_EQ(decide(at, program.conditions()[0]), Truth::fails);
  at.run(std::vector<Ball>{Ball(0), Ball(1), Ball(1)});
  EXPECT_EQ(decide(at, program.conditions()[0]), Truth::holds);
}

TEST(Sets, EmptyOnesAreRefused) {
  EXPECT_EQ(refusal("forall x in (3, 2]: x <= 1"),
            "line 1, column 13: the interval (3, 2] is empty; its lower end must be below its upper end");
  EXPECT_NE(refusal("forall x in (2, 2]: x <= 1").find("is empty"), std::string::npos);
  EXPECT_EQ(refusal("forall x in [2, 2]: x <= 3"), "");
  EXPECT_NE(refusal("forall n in 0..2, x in R^n: sum(x) <= 1", {{"n", 0}}).find("an extent must be at least 1"),
            std::string::npos);
}

}  // namespace
}  // namespace attest::language
