#include "theorems/engine/protocols/identity.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "theorems/engine/verdict_rule.hpp"

namespace attest::engine {
namespace {

using rigor::Ball;

Context context() {
  Context c;
  c.seed = 3;
  c.key = 5;
  return c;
}

/// sin^2 + cos^2 = value.
IdentityProblem pythagoras(double value) {
  IdentityProblem problem;
  problem.lower = {-10};
  problem.upper = {10};
  problem.decode = [](std::span<const double> x) { return Inputs{{"x", {x[0]}}}; };
  problem.sides = [value](const Inputs& in) {
    const double s = std::sin(in.scalar("x"));
    const double c = std::cos(in.scalar("x"));
    return IdentitySides{{s * s + c * c}, {value}, 0};
  };
  problem.ball_sides = [value](const Inputs& in) {
    const Ball x(in.scalar("x"));
    return IdentityBallSides{{rigor::square(rigor::sin(x)) + rigor::square(rigor::cos(x))}, {Ball(value)}};
  };
  problem.rounding_bound = 4 * std::numeric_limits<double>::epsilon();
  return problem;
}

TEST(Identity, supports_a_true_identity_and_measures_its_rounding) {
  const Evidence evidence = identity(pythagoras(1)).run(context());
  EXPECT_EQ(judge(Kind::identity, evidence).verdict, Verdict::supported) << judge(Kind::identity, evidence).reason;
  EXPECT_GT(std::get<IdentityEvidence>(evidence.body).accuracy_bits, 100);
}

TEST(Identity, refutes_one_that_is_wrong_in_the_twelfth_digit) {
  const Check check = identity(pythagoras(1 + 1e-12));
  const Evidence evidence = check.run(context());
  EXPECT_EQ(judge(Kind::identity, evidence).verdict, Verdict::refuted);
  EXPECT_TRUE(check.replay(*witness_of(evidence), context()).confirmed);
}

TEST(Identity, takes_its_witness_from_the_corners_where_they_violate_it) {
  // max(x, 2) = 2 fails most at x = 10, and for the reader as well at 4.
  IdentityProblem problem = pythagoras(1);
  problem.sides = [](const Inputs& in) { return IdentitySides{{std::max(in.scalar("x"), 2.0)}, {2}, 0}; };
  problem.ball_sides = [](const Inputs& in) {
    return IdentityBallSides{{rigor::max(Ball(in.scalar("x")), Ball(2))}, {Ball(2)}};
  };
  problem.corners = {{4}};
  EXPECT_EQ(witness_of(identity(problem).run(context()))->inputs.scalar("x"), 4);
}

TEST(Identity, keeps_half_of_the_largest_difference_in_a_short_witness) {
  // x and x + x^3 / 1000 differ by 9 percent at x = 10 and by less than a thousandth below x = 1.
  IdentityProblem problem = pythagoras(1);
  problem.sides = [](const Inputs& in) {
    const double x = in.scalar("x");
    return IdentitySides{{x}, {x + x * x * x / 1000}, 0};
  };
  problem.ball_sides = [](const Inputs& in) {
    const Ball x(in.scalar("x"));
    return IdentityBallSides{{x}, {x + x * x * x / 1000}};
  };
  problem.corners = {{0.5}};
  const double x = std::abs(witness_of(identity(problem).run(context()))->inputs.scalar("x"));
  const auto difference = [](double at) { return at * at / 1000 / (1 + at * at / 1000); };
  EXPECT_GE(difference(x), difference(10) / 2 * (1 - 1e-12));
  EXPECT_EQ(x, 8) << "the shortest number that does";
}

TEST(Identity, reports_a_double_evaluation_that_drifts_from_a_true_identity) {
  IdentityProblem problem = pythagoras(1);
  problem.sides = [](const Inputs&) { return IdentitySides{{1 + 1e-9}, {1}, 0}; };
  EXPECT_EQ(judge(Kind::identity, identity(problem).run(context())).verdict, Verdict::error);
}

TEST(Identity, is_undecided_when_the_balls_are_too_wide_to_tell) {
  IdentityProblem problem = pythagoras(1);
  problem.ball_sides = [](const Inputs&) { return IdentityBallSides{{Ball::hull(Ball(0), Ball(2))}, {Ball(1)}}; };
  EXPECT_EQ(judge(Kind::identity, identity(problem).run(context())).verdict, Verdict::undecided);
}

TEST(Identity, is_undecided_when_the_balls_of_both_sides_enclose_everything) {
  IdentityProblem problem = pythagoras(1);
  problem.ball_sides = [](const Inputs&) {
    const Ball everything = Ball(1) / Ball::hull(Ball(-1), Ball(1));
    return IdentityBallSides{{everything}, {everything}};
  };
  EXPECT_EQ(judge(Kind::identity, identity(problem).run(context())).verdict, Verdict::undecided);
}

TEST(Identity, is_undecided_when_both_balls_are_centred_on_zero_and_wide) {
  IdentityProblem problem = pythagoras(1);
  problem.sides = [](const Inputs&) { return IdentitySides{{0}, {0}, 0}; };
  problem.ball_sides = [](const Inputs&) {
    const Ball around_zero = Ball::hull(Ball(-1), Ball(1));
    return IdentityBallSides{{around_zero}, {around_zero}};
  };
  EXPECT_EQ(judge(Kind::identity, identity(problem).run(context())).verdict, Verdict::undecided);
}

TEST(Identity, takes_no_comfort_from_an_infinite_size_of_the_terms) {
  IdentityProblem problem = pythagoras(1);
  problem.sides = [](const Inputs&) { return IdentitySides{{1}, {1}, std::numeric_limits<double>::infinity()}; };
  problem.ball_sides = [](const Inputs&) { return IdentityBallSides{{Ball::hull(Ball(0), Ball(2))}, {Ball(1)}}; };
  EXPECT_EQ(judge(Kind::identity, identity(problem).run(context())).verdict, Verdict::undecided);
}

}  // namespace
}  // namespace attest::engine
