#include "theorems/engine/protocols/composite.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/theorems/engine/test_claims.hpp"
#include "tests/theorems/engine/unit_interval.hpp"
#include "theorems/engine/protocols/certification.hpp"
#include "theorems/engine/protocols/inequality.hpp"
#include "theorems/engine/verdict_rule.hpp"

namespace attest::engine {
namespace {

using rigor::Ball;

Context context() {
  Context c;
  c.seed = 5;
  c.key = 13;
  c.alpha = 1e-6;
  return c;
}

/// The same as a certificate: bound - x (1 - x) >= 0.
Check parabola_certified(double bound) {
  BoxProblem p;
  p.domain = "x in [0, 1]";
  p.coordinates = {"x"};
  p.lower = {0};
  p.upper = {1};
  p.margin = [bound](std::span<const Ball> x) { return bound - Ball(0.25) + rigor::square(x[0] - 0.5); };
  p.boxes = 500;
  return certify_on_box(std::move(p));
}

Part part(std::string name, Check check, Kind kind = Kind::universal_inequality) {
  return {std::move(name), kind, std::move(check)};
}

Judgement judgement(const Check& check) { return judge(Kind::universal_inequality, check.run(context())); }

TEST(Composite, is_true_when_every_part_is) {
  EXPECT_EQ(judgement(composite({part("search", parabola_below(0.25)), part("looser", parabola_below(1))})).verdict,
            Verdict::supported);
  EXPECT_EQ(judgement(composite({part("one", parabola_certified(0.25)), part("two", parabola_certified(1))})).verdict,
            Verdict::certified);
  EXPECT_EQ(judgement(composite({part("one", parabola_certified(0.25)), part("two", parabola_below(1))})).verdict,
            Verdict::supported)
      << "a certificate for one part certifies no other";
}

TEST(Composite, falls_with_any_part_and_names_it) {
  for (const bool first : {true, false}) {
    const Part good = part("true part", parabola_below(0.25));
    const Part bad = part("false part", parabola_below(0.2475));
    const Check check = composite(first ? std::vector{bad, good} : std::vector{good, bad});
    const Evidence evidence = check.run(context());
    const Judgement judged = judge(Kind::universal_inequality, evidence);
    EXPECT_EQ(judged.verdict, Verdict::refuted);
    EXPECT_EQ(judged.reason.rfind("false part: ", 0), 0U) << judged.reason;
    ASSERT_TRUE(witness_of(evidence).has_value());
    EXPECT_EQ(witness_of(evidence)->part, "false part");
  }
}

TEST(Composite, judges_each_part_as_the_kind_of_claim_it_is) {
  const Check misfit = composite({part("a limit by search", parabola_below(1), Kind::identity)});
  EXPECT_EQ(judgement(misfit).verdict, Verdict::error);
}

TEST(Composite, replays_the_witness_of_a_part_and_of_a_part_of_a_part) {
  const Check inner = composite({part("true", parabola_below(1)), part("false", parabola_below(0.2))});
  const Check outer = composite({part("sound", parabola_below(0.25)), part("rotten", inner)});
  const auto witness = witness_of(outer.run(context()));
  ASSERT_TRUE(witness.has_value());
  EXPECT_EQ(witness->part, "rotten / false");
  EXPECT_TRUE(outer.replay(*witness, context()).confirmed);
  Witness elsewhere = *witness;
  elsewhere.part = "sound";
  EXPECT_FALSE(outer.replay(elsewhere, context()).confirmed) << "the point violates the other part only";
  elsewhere.part = "rotten / unknown";
  EXPECT_THROW(outer.replay(elsewhere, context()), std::invalid_argument);
  elsewhere.part = "";
  EXPECT_THROW(outer.replay(elsewhere, context()), std::invalid_argument);
}

TEST(Composite, replays_the_part_that_is_meant_where_names_contain_the_separator) {
  const Check check = composite({part("x", parabola_below(1)), part("x / 2", parabola_below(0.2))});
  const auto witness = witness_of(check.run(context()));
  ASSERT_TRUE(witness.has_value());
  EXPECT_EQ(witness->part, "x / 2");
  EXPECT_TRUE(check.replay(*witness, context()).confirmed);
}

/// Keeps the contexts it is run with.
Check recording(std::vector<Context>& seen, Evidence evidence = {good_inequality()}) {
  Check check = check_returning(std::move(evidence));
  check.run = [&seen, run = check.run](const Context& at) {
    seen.push_back(at);
    return run(at);
  };
  return check;
}

TEST(Composite, gives_every_part_its_own_stream_and_an_equal_share_of_the_error_level) {
  std::vector<Context> seen;
  composite({part("one", recording(seen)), part("two", recording(seen)), part("three", recording(seen))})
      .run(context());
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_NE(seen[0].key, seen[1].key);
  EXPECT_NE(seen[1].key, seen[2].key);
  EXPECT_NE(seen[0].key, seen[2].key);
  double spent = 0;
  for (const Context& at : seen) {
    spent += at.alpha;
    EXPECT_EQ(at.seed, context().seed);
  }
  EXPECT_LE(spent, context().alpha * (1 + 0x1p-50)) << "three shares add up to the whole, but for their rounding";
}

TEST(Composite, lets_no_part_hide_behind_a_refuted_one) {
  std::vector<Context> seen;
  const Check check =
      composite({part("false", recording(seen, {violated_inequality()})), part("after", recording(seen))});
  Context near_miss = context();
  near_miss.stop_at_violation = true;
  check.run(near_miss);
  EXPECT_EQ(seen.size(), 2U);
}

TEST(Composite, evaluates_the_part_that_a_near_miss_changes_alone) {
  std::vector<Context> seen;
  const Check inner = composite({part("x", recording(seen)), part("y", recording(seen))});
  const Check check = composite({part("inner", inner), part("other", recording(seen))});
  Context near_miss = context();
  near_miss.only_part = "inner / y";
  check.run(near_miss);
  EXPECT_EQ(seen.size(), 1U);
  near_miss.only_part = "no such part";
  EXPECT_THROW(check.run(near_miss), std::invalid_argument);
}

TEST(Composite, says_once_what_several_parts_search) {
  const Check same = composite({part("one", parabola_below(0.25)), part("two", parabola_below(1))});
  EXPECT_EQ(same.domain(), "in each of 2 parts: x in [0, 1]");
  const Check different = composite({part("search", parabola_below(1)), part("cases", check_returning({}))});
  EXPECT_EQ(different.domain(), "search: x in [0, 1]. cases: nothing");
}

TEST(Composite, hands_the_figures_of_its_parts_to_the_whole) {
  Evidence drawn{good_inequality()};
  drawn.figures.emplace_back().name = "curve";
  const Evidence whole = composite({part("drawn", check_returning(drawn)), part("plain", parabola_below(1))}).run({});
  ASSERT_EQ(whole.figures.size(), 1U);
  EXPECT_EQ(whole.figures[0].name, "curve");
}

TEST(Composite, does_not_swallow_a_part_that_fails) {
  Check broken = parabola_below(1);
  broken.run = [](const Context&) -> Evidence { throw std::runtime_error("singular"); };
  EXPECT_THROW(composite({part("sound", parabola_below(1)), part("broken", broken)}).run(context()),
               std::runtime_error);
}

TEST(Composite, refuses_parts_that_could_not_be_told_apart_or_judged) {
  EXPECT_THROW(composite({}), std::invalid_argument);
  EXPECT_THROW(composite({part("", parabola_below(1))}), std::invalid_argument);
  EXPECT_THROW(composite({part("twice", parabola_below(1)), part("twice", parabola_below(1))}), std::invalid_argument);
  EXPECT_THROW(composite({part("no check", Check{})}), std::invalid_argument);
}

}  // namespace
}  // namespace attest::engine
