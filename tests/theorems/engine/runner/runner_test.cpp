#include "theorems/engine/runner/runner.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/theorems/engine/test_claims.hpp"
#include "theorems/engine/protocols/awaiting.hpp"
#include "theorems/engine/registry.hpp"

namespace attest::engine {
namespace {

Claim good_claim(std::string id = "paper/good") {
  return claim_with(std::move(id), Kind::universal_inequality, Verdict::supported, check_returning({good_inequality()}),
                    check_returning({violated_inequality()}));
}

SuiteRun run_of(const Claims& claims, bool near_misses = true) {
  std::vector<const Claim*> plan;
  for (const auto& claim : claims) plan.push_back(&claim);
  RunOptions options;
  options.near_misses = near_misses;
  options.threads = 2;
  options.budget = parse_budget("quick");
  return run(plan, options);
}

TEST(Runner, passes_a_suite_whose_verdicts_are_the_recorded_ones) {
  const Claims claims = {good_claim()};
  const SuiteRun run = run_of(claims);
  EXPECT_TRUE(run.as_expected());
  ASSERT_EQ(run.results.size(), 1U);
  ASSERT_EQ(run.results[0].near_misses.size(), 1U);
  EXPECT_EQ(run.results[0].near_misses[0].judgement.verdict, Verdict::refuted);
}

TEST(Runner, fails_when_a_near_miss_is_not_refuted) {
  Claim toothless = good_claim();
  toothless.near_misses[0].check = check_returning({good_inequality()});
  const Claims claims = {toothless};
  EXPECT_FALSE(run_of(claims).as_expected());
  EXPECT_TRUE(run_of(claims, false).as_expected()) << "near-misses count only when they are judged";
}

TEST(Runner, fails_when_a_near_hit_does_not_stand) {
  Claim refuted = good_claim();
  refuted.check = check_returning({violated_inequality()});
  refuted.statement.expected = Verdict::refuted;
  refuted.near_misses.clear();
  refuted.near_hits = {{"one percent weaker", 0.01, check_returning({good_inequality()})}};
  const Claims standing = {refuted};
  EXPECT_TRUE(run_of(standing).as_expected());
  refuted.near_hits[0].check = check_returning({violated_inequality()});
  const Claims falling = {refuted};
  EXPECT_FALSE(run_of(falling).as_expected()) << "the weaker statement must be true";
}

TEST(Runner, fails_when_a_verdict_is_not_the_recorded_one) {
  Claim surprising = good_claim();
  surprising.statement.expected = Verdict::refuted;
  const Claims claims = {surprising};
  EXPECT_FALSE(run_of(claims).as_expected());
}

TEST(Runner, turns_an_exception_into_an_error_that_never_passes) {
  Claim broken = good_claim();
  broken.check.run = [](const Context&) -> Evidence { throw std::runtime_error("the matrix is singular"); };
  broken.statement.expected = Verdict::error;
  const Claims claims = {broken};
  const SuiteRun run = run_of(claims);
  EXPECT_EQ(run.results[0].judgement.verdict, Verdict::error);
  EXPECT_NE(run.results[0].judgement.reason.find("the matrix is singular"), std::string::npos);
  EXPECT_FALSE(run.as_expected()) << "not even when an error was recorded as expected";
}

TEST(Runner, refuses_an_empty_plan) { EXPECT_THROW(run({}, RunOptions{}), std::invalid_argument); }

TEST(Runner, keeps_what_was_finished_when_it_is_interrupted) {
  std::atomic<bool> interrupted{false};
  Claim stopping = good_claim("paper/stopping");
  stopping.check.run = [&](const Context& context) -> Evidence {
    interrupted = true;
    for (;;) context.poll();
  };
  const Claims claims = {good_claim(), stopping, good_claim("paper/after")};
  RunOptions options;
  options.threads = 1;
  options.interrupted = &interrupted;
  const SuiteRun run = engine::run({&claims[0], &claims[1], &claims[2]}, options);
  EXPECT_TRUE(run.interrupted);
  EXPECT_FALSE(run.as_expected());
  ASSERT_EQ(run.results.size(), 1U);
  EXPECT_EQ(run.results[0].claim->statement.id, "paper/good");
}

TEST(Runner, ends_with_its_seconds_and_says_what_was_not_judged) {
  Claim endless = good_claim("paper/endless");
  endless.check.run = [](const Context& context) -> Evidence {
    for (;;) context.poll();
  };
  const Claims claims = {good_claim(), endless};
  RunOptions options;
  options.threads = 2;
  options.budget = parse_budget("0.1s");
  const SuiteRun run = engine::run({&claims[0], &claims[1]}, options);
  EXPECT_FALSE(run.interrupted) << "nobody interrupted it";
  ASSERT_EQ(run.results.size(), 2U);
  EXPECT_EQ(run.results[0].judgement.verdict, Verdict::supported);
  EXPECT_EQ(run.results[1].judgement.verdict, Verdict::undecided);
  EXPECT_NE(run.results[1].judgement.reason.find("the budget of 0.1 s ended"), std::string::npos);
}

TEST(Runner, splits_one_error_budget_over_the_whole_suite) {
  const Claims claims = {good_claim("paper/a"), good_claim("paper/b")};
  RunOptions options;
  options.ledger_shares = 100;
  options.false_alarm_bound = 1e-6;
  const SuiteRun run = engine::run({&claims[0], &claims[1]}, options);
  EXPECT_DOUBLE_EQ(run.alpha_per_claim, 1e-8);
  EXPECT_DOUBLE_EQ(run.false_alarm_bound, 2e-8);
}

TEST(Registry, refuses_ill_formed_suites) {
  EXPECT_NO_THROW(validate({good_claim()}));
  EXPECT_THROW(validate({good_claim(), good_claim()}), std::logic_error) << "one id twice";
  Claim no_near_miss = good_claim();
  no_near_miss.near_misses.clear();
  EXPECT_THROW(validate({no_near_miss}), std::logic_error);
  Claim waiting = claim_with("paper/waits", Kind::figure, Verdict::undecided,
                             awaits("a training run", "no weights here"), check_returning({violated_inequality()}));
  EXPECT_THROW(validate({waiting}), std::logic_error) << "nothing is evaluated, so no near-miss can be refuted";
  waiting.near_misses.clear();
  EXPECT_NO_THROW(validate({waiting}));
  waiting.statement.expected = Verdict::supported;
  EXPECT_NO_THROW(validate({waiting})) << "what results that ship say of it";
  Claim no_check = good_claim();
  no_check.check = {};
  EXPECT_THROW(validate({no_check}), std::logic_error);
  Claim amends_nothing = good_claim();
  amends_nothing.statement.printed = false;
  amends_nothing.statement.amends = "paper/unknown";
  EXPECT_THROW(validate({amends_nothing}), std::logic_error);
}

TEST(Registry, refuses_a_circle_of_statements_that_fall_with_each_other) {
  Claim first = good_claim("paper/first");
  Claim second = good_claim("paper/second");
  Claim third = good_claim("paper/third");
  second.statement.depends_on = {"paper/first"};
  third.statement.depends_on = {"paper/first", "paper/second"};
  EXPECT_NO_THROW(validate({first, second, third})) << "two ways to one ground are not a circle";
  first.statement.depends_on = {"paper/third"};
  try {
    validate({first, second, third});
    FAIL() << "a circle was accepted";
  } catch (const std::logic_error& fault) {
    EXPECT_NE(std::string(fault.what()).find("paper/first -> paper/third -> paper/first"), std::string::npos)
        << fault.what();
  }
  first.statement.depends_on = {"paper/first"};
  EXPECT_THROW(validate({first}), std::logic_error) << "on itself";
}

TEST(Registry, selects_by_id_glob_label_and_paper_and_names_what_matches_nothing) {
  const Claims claims = {good_claim("one/a"), good_claim("one/b"), good_claim("two/a")};
  EXPECT_EQ(select(claims, {}).size(), 3U);
  EXPECT_EQ(select(claims, {.patterns = {"one/*"}}).size(), 2U);
  EXPECT_EQ(select(claims, {.patterns = {"one/a", "two/a"}}).size(), 2U);
  EXPECT_EQ(select(claims, {.patterns = {"label"}}).size(), 3U);
  EXPECT_EQ(select(claims, {.paper = "two"}).size(), 1U);
  try {
    select(claims, {.patterns = {"one/c"}});
    FAIL() << "an unknown statement was accepted";
  } catch (const std::invalid_argument& failure) {
    EXPECT_NE(std::string(failure.what()).find("one/c"), std::string::npos);
  }
}

TEST(Budget, knows_its_words_and_seconds) {
  EXPECT_EQ(parse_budget("quick").effort, 1);
  EXPECT_EQ(parse_budget("90s").seconds, 90);
  for (const char* word : {"", "fast", "s", "-3s", "1e999s", "12"})
    EXPECT_THROW(parse_budget(word), std::invalid_argument);
}

}  // namespace
}  // namespace attest::engine
