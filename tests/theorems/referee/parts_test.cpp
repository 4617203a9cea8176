// The small parts of the judge.
#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/rounding.hpp"
#include "theorems/language/read.hpp"
#include "theorems/referee/expectations/random_draws.hpp"
#include "theorems/referee/judge.hpp"
#include "theorems/referee/known_truths/known_truths.hpp"
#include "theorems/referee/points/sizes.hpp"
#include "theorems/referee/points/structures.hpp"
#include "theorems/referee/proof/box_proof.hpp"
#include "theorems/referee/proof/clear_witness.hpp"
#include "theorems/referee/proof/closed_form.hpp"
#include "theorems/referee/question/question.hpp"
#include "theorems/referee/question/variations.hpp"

namespace attest::referee {
namespace {

TEST(ClosedForm, ShortNumbersAreRecognised) {
  EXPECT_EQ(closed_form(0.125, 1e-9)->text, "1/8");
  EXPECT_EQ(closed_form(std::sqrt(2.0) / 2, 1e-12)->text, "sqrt(2)/2");
  EXPECT_EQ(closed_form(2 / M_PI, 1e-12)->text, "2*1/pi");
}

TEST(ClosedForm, ArbitraryNumbersAreNot) {
  EXPECT_FALSE(closed_form(1.128904145185155, 1e-6));
  EXPECT_FALSE(closed_form(0.73820195, 1e-6));
}

TEST(Structures, HaveTheirShapesAndAreFinite) {
  for (int s = 0; s < structure_count; ++s) {
    for (const auto& [rows, cols] : {std::pair<std::size_t, std::size_t>{1, 1}, {7, 1}, {1, 5}, {6, 4}}) {
      random::Stream stream(1, 2, static_cast<std::uint64_t>(s));
      const auto array = structured(static_cast<Structure>(s), rows, cols, stream);
      ASSERT_EQ(array.size(), rows * cols) << name(static_cast<Structure>(s));
      for (const double entry : array) EXPECT_TRUE(std::isfinite(entry)) << name(static_cast<Structure>(s));
    }
  }
}

TEST(Sizes, ReachTheEndsAndTheSmallest) {
  const auto statement = language::read_statement("forall n in 2..64, d in 1..128, X in R^(n, d): max(X) <= 1");
  const Sizes sizes = choose_sizes(statement, {}, 20, 1e9);
  bool smallest = false, largest = false;
  for (const auto& choices : sizes.tried) {
    smallest |= choices.at("n") == 2 && choices.at("d") == 1;
    largest |= choices.at("n") == 64 && choices.at("d") == 128;
  }
  EXPECT_TRUE(smallest);
  EXPECT_TRUE(largest);
  EXPECT_FALSE(sizes.exhaustive);
}

TEST(Sizes, FewChoicesAreAllTaken) {
  const auto statement = language::read_statement("forall n in 2..5, p in {1, 2, inf}, x in R^n: norm(x, p) >= 0");
  const Sizes sizes = choose_sizes(statement, {}, 20, 1e9);
  EXPECT_EQ(sizes.tried.size(), 12U);
  EXPECT_TRUE(sizes.exhaustive);
}

TEST(Sizes, OthersAreAllThatWereNotTried) {
  const auto statement = language::read_statement("forall n in 1..64, x in R^n: max(x) <= 1");
  Sizes sizes = choose_sizes(statement, {}, 14, 1e9);
  EXPECT_TRUE(untried_choices(statement, sizes, 64).all);
  EXPECT_FALSE(untried_choices(statement, sizes, 63).all);
  const std::vector<language::Choices> others = untried_choices(statement, sizes, 256).choices;
  EXPECT_EQ(sizes.tried.size() + others.size(), 64U);
  add_choices(statement, {others.front()}, sizes);
  EXPECT_EQ(untried_choices(statement, sizes, 256).choices.size() + 1, others.size());
  EXPECT_TRUE(std::ranges::is_sorted(sizes.extents.front().tried));
}

TEST(Sizes, OfTwoRangesEachIsGoneThroughBesideTheOther) {
  const auto statement = language::read_statement("forall n in 1..64, d in 1..128, X in R^(n, d): max(X) <= 1");
  const Sizes sizes = choose_sizes(statement, {}, 14, 1e9);
  std::set<double> n, d;
  const Untried untried = untried_choices(statement, sizes, 256);
  EXPECT_FALSE(untried.all);
  for (const language::Choices& choices : untried.choices) {
    n.insert(choices.at("n"));
    d.insert(choices.at("d"));
  }
  EXPECT_GT(n.size(), 50U);
  EXPECT_GT(d.size(), 100U);
}

TEST(Judge, ShowsNoTightestPointWhereDoublesAloneMeetTheConditions) {
  JudgeOptions options;
  options.near_misses = false;
  const Outcome outcome = judge("forall x, y in [0, 1] where x + y <= 1: x*y <= 1/4", options);
  ASSERT_TRUE(outcome.tightest);
  EXPECT_LE(std::stod(outcome.tightest->lhs), std::stod(outcome.tightest->rhs));
}

TEST(BoxProof, ProvesRefutesAndLeavesOpen) {
  const auto status = [](const char* text) {
    const language::Program program = language::compile(language::read_statement(text), {});
    return prove_on_box(program, {}, 5000).status;
  };
  EXPECT_EQ(status("forall x in [0, 1], y in [0, 1]: x*y <= x + 0.01"), ProofStatus::certified);
  EXPECT_EQ(status("forall x in [-1, 1]: x^3 - x <= 0.38"), ProofStatus::refuted);
  // It touches inside, where no box ends.
  EXPECT_EQ(status("forall x in [-1, 2]: exp(x) >= 1 + x"), ProofStatus::undecided);
  EXPECT_EQ(status("forall x in R: x^2 >= 0"), ProofStatus::inapplicable);
}

TEST(BoxProof, MonotoneSlackIsProvedWhereItTouches) {
  const language::Program program =
      language::compile(language::read_statement("forall x in [0, 1]: exp(x) >= 1 + x"), {});
  EXPECT_EQ(prove_on_box(program, {}, 5000).status, ProofStatus::certified);
}

TEST(ClearWitness, KeepsThePredicateAndShortensNumbers) {
  const language::Program program = language::compile(language::read_statement("forall x in R^3: norm(x) <= 1"), {});
  const auto good = [](std::span<const double> x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] > 4; };
  const auto clear = clear_witness(program, {1.2345678, 3.1415926, 1e-9}, good, 1000);
  EXPECT_TRUE(good(clear));
  EXPECT_EQ(clear, (std::vector<double>{0, 3, 0}));
}

TEST(Variations, ChangeOneThingEach) {
  const auto statement = language::read_statement("forall x in R where abs(x) <= 1: sin(x)^2 <= 1/2*x^2 + 3");
  const auto all = variations(statement);
  int constants = 0, exponents = 0, conditions = 0, relations = 0;
  for (const Variation& v : all) {
    EXPECT_FALSE(language::same(v.statement, statement)) << v.name;
    constants += v.change == Change::constant ? 1 : 0;
    exponents += v.change == Change::exponent ? 1 : 0;
    conditions += v.change == Change::condition ? 1 : 0;
    relations += v.change == Change::relation ? 1 : 0;
  }
  EXPECT_EQ(constants, 12);  // 1/2 and 3, three sizes, two directions
  EXPECT_EQ(exponents, 12);
  EXPECT_EQ(conditions, 1);
  EXPECT_EQ(relations, 1);
}

TEST(Balanced, ADifferenceAboveZeroBecomesTwoSides) {
  const auto statement = language::read_statement("forall a, b in R: a^2 - b >= 0");
  EXPECT_EQ(language::normal_form(balanced(statement)), "forall a, b in R: a^2 >= b");
}

TEST(Laws, MassesOfIntervalsSumToOne) {
  for (const char* law : {"normal", "uniform", "exponential", "laplace"}) {
    const Support support = standard_support(law);
    rigor::Ball total = standard_mass(law, rigor::Ball(0.0), rigor::Ball(0.3)) +
                        standard_mass(law, rigor::Ball(0.3), rigor::Ball(support.upper));
    if (support.lower < 0) total += standard_mass(law, rigor::Ball(support.lower), rigor::Ball(0.0));
    EXPECT_NEAR(total.mid(), 1, tests::unit_roundoff) << law;
  }
}

TEST(Laws, QuadratureKnowsMoments) {
  const auto mean = [](const LawAt& law, auto&& f) {
    double sum = 0;
    for (const Atom& node : quadrature(law, 1200)) sum += node.probability * f(node.value);
    return sum;
  };
  // Smooth on their support: what is left is the cut of the double exponential substitution. A kink costs the square of
  // the step.
  constexpr double smooth = 1e-8, kink = (8.0 / 1200) * (8.0 / 1200);
  EXPECT_NEAR(mean({"normal", {1, 2}}, [](double x) { return x * x; }), 5, smooth);
  EXPECT_NEAR(mean({"exponential", {2}}, [](double x) { return x; }), 0.5, smooth);
  EXPECT_NEAR(mean({"uniform", {-1, 3}}, [](double x) { return x; }), 1, smooth);
  EXPECT_NEAR(mean({"laplace", {0, 1}}, [](double x) { return x * x; }), 2, kink);
}

TEST(KnownTruths, TheBuiltInTableIsLargeAndHalfFalse) {
  const auto& all = known_truths();
  std::size_t false_ones = 0;
  for (const KnownTruth& each : all) {
    EXPECT_NO_THROW(language::read_statement(each.statement)) << each.id;
    EXPECT_FALSE(each.source.empty()) << each.id;
    false_ones += each.truth ? 0 : 1;
  }
  EXPECT_GE(all.size(), 150U);
  EXPECT_GE(false_ones, all.size() * 4 / 10);
}

TEST(KnownTruths, BadRowsAreNamed) {
  const auto message = [](const char* table) {
    try {
      read_known_truths(table, "t.tsv");
    } catch (const std::invalid_argument& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  EXPECT_NE(message("id\tstatement\ttruth\na\tx\tmaybe\n").find("t.tsv, line 2"), std::string::npos);
  EXPECT_NE(message("id\tstatement\ttruth\na\tx\ttrue\na\ty\ttrue\n").find("stands twice"), std::string::npos);
  EXPECT_NE(message("").find("empty"), std::string::npos);
}

}  // namespace
}  // namespace attest::referee
