#include "theorems/engine/verdict_rule.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/theorems/engine/test_claims.hpp"

namespace attest::engine {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Verdict verdict(Kind kind, Evidence evidence) { return judge(kind, evidence).verdict; }

TEST(VerdictRule, supports_an_identity_whose_sides_agree) {
  EXPECT_EQ(verdict(Kind::identity, {good_identity()}), Verdict::supported);
}

TEST(VerdictRule, never_lets_an_identity_pass_by_accident) {
  auto none = good_identity();
  none.evaluations = 0;
  EXPECT_EQ(verdict(Kind::identity, {none}), Verdict::error);
  auto inadmissible = good_identity();
  inadmissible.admissible = 0;
  EXPECT_EQ(verdict(Kind::identity, {inadmissible}), Verdict::vacuous);
  auto no_balls = good_identity();
  no_balls.ball_points = 0;
  EXPECT_EQ(verdict(Kind::identity, {no_balls}), Verdict::error);
  auto not_a_number = good_identity();
  not_a_number.largest_residual = nan;
  EXPECT_EQ(verdict(Kind::identity, {not_a_number}), Verdict::error);
  auto wide_balls = good_identity();
  wide_balls.accuracy_bits = 20;
  EXPECT_EQ(verdict(Kind::identity, {wide_balls}), Verdict::undecided);
}

TEST(VerdictRule, calls_a_wrong_double_evaluation_of_a_true_identity_an_error) {
  auto wrong_kernel = good_identity();
  wrong_kernel.largest_residual = 1e-3;
  EXPECT_EQ(verdict(Kind::identity, {wrong_kernel}), Verdict::error);
}

TEST(VerdictRule, refutes_an_inequality_only_by_a_confirmed_witness) {
  auto unconfirmed = good_inequality();
  unconfirmed.least_slack = -1e-17;
  EXPECT_EQ(verdict(Kind::universal_inequality, {unconfirmed}), Verdict::supported);
  EXPECT_NE(judge(Kind::universal_inequality, {unconfirmed}).reason.find("which doubles do not resolve"),
            std::string::npos)
      << "a negative slack beside 'no violation' needs its explanation";
  EXPECT_EQ(verdict(Kind::universal_inequality, {violated_inequality()}), Verdict::refuted);
}

TEST(VerdictRule, calls_a_double_evaluation_too_inaccurate_to_search_with_an_error) {
  auto misled = good_inequality();
  misled.least_slack = -0.1;
  EXPECT_EQ(verdict(Kind::universal_inequality, {misled}), Verdict::error);
}

TEST(VerdictRule, calls_an_inequality_that_was_never_tested_vacuous_or_an_error) {
  auto inadmissible = good_inequality();
  inadmissible.admissible = 0;
  EXPECT_EQ(verdict(Kind::universal_inequality, {inadmissible}), Verdict::vacuous);
  auto none = good_inequality();
  none.evaluations = 0;
  EXPECT_EQ(verdict(Kind::universal_inequality, {none}), Verdict::error);
  auto not_a_number = good_inequality();
  not_a_number.least_slack = nan;
  EXPECT_EQ(verdict(Kind::universal_inequality, {not_a_number}), Verdict::error);
}

TEST(VerdictRule, refuses_a_protocol_that_cannot_judge_the_kind) {
  EXPECT_EQ(verdict(Kind::universal_inequality, {good_identity()}), Verdict::error);
  EXPECT_EQ(verdict(Kind::identity, {good_inequality()}), Verdict::error);
  EXPECT_EQ(verdict(Kind::definition, {}), Verdict::error);
}

CertificationEvidence certificate(std::int64_t boxes, double undecided) { return {"[0, 1]", boxes, undecided, {}}; }

TEST(VerdictRule, certifies_only_a_domain_without_rest) {
  EXPECT_EQ(verdict(Kind::universal_inequality, {certificate(10, 0)}), Verdict::certified);
  EXPECT_EQ(verdict(Kind::universal_inequality, {certificate(10, 1e-9)}), Verdict::undecided);
  EXPECT_EQ(verdict(Kind::universal_inequality, {certificate(0, 0)}), Verdict::error);
  EXPECT_EQ(verdict(Kind::universal_inequality, {certificate(10, nan)}), Verdict::error);
}

ExpectationEvidence mean_in(double lower, double upper) {
  ExpectationPart part;
  part.name = "gaussian, N = 10";
  part.samples = 1000;
  part.estimate = (lower + upper) / 2;
  part.interval = {lower, upper};
  part.bound = 1;
  part.resolution = 0.1;
  part.alpha = 1e-9;
  return {{part}, 1e-3, {}};
}

TEST(VerdictRule, decides_an_expectation_by_its_confidence_sequence) {
  EXPECT_EQ(verdict(Kind::expectation_bound, {mean_in(0.5, 0.9)}), Verdict::supported);
  EXPECT_EQ(verdict(Kind::expectation_bound, {mean_in(0.9, 1.05)}), Verdict::supported);
  EXPECT_EQ(verdict(Kind::expectation_bound, {mean_in(0.9, 1.2)}), Verdict::undecided);
  auto excluded = mean_in(1.01, 1.2);
  EXPECT_EQ(verdict(Kind::expectation_bound, {excluded}), Verdict::error) << "a refutation must store its witness";
  excluded.witness = Witness{};
  EXPECT_EQ(verdict(Kind::expectation_bound, {excluded}), Verdict::refuted);
}

TEST(VerdictRule, says_which_intervals_settle_and_which_lie_within_the_resolution) {
  ExpectationEvidence evidence = mean_in(0.5, 0.9);
  evidence.parts.push_back(mean_in(0.9, 1.05).parts[0]);
  const std::string reason = judge(Kind::expectation_bound, {evidence}).reason;
  EXPECT_NE(reason.find("1 interval lies on the claimed side, 1 interval lies within the resolution of its bound"),
            std::string::npos)
      << reason;
}

TEST(VerdictRule, calls_an_expectation_without_samples_or_numbers_an_error) {
  auto none = mean_in(0.5, 0.9);
  none.parts[0].samples = 0;
  EXPECT_EQ(verdict(Kind::expectation_bound, {none}), Verdict::error);
  EXPECT_EQ(verdict(Kind::expectation_bound, {ExpectationEvidence{}}), Verdict::error);
  EXPECT_EQ(verdict(Kind::expectation_bound, {mean_in(nan, nan)}), Verdict::error);
}

SequenceEvidence limit_in(double lower, double upper) {
  SequenceEvidence e;
  e.n = {1, 2, 4, 8};
  e.ratio = {1, 1, 1, 1};
  e.quantity = "limit";
  e.estimate = (lower + upper) / 2;
  e.interval = {lower, upper};
  e.claimed = 1;
  e.resolution = 0.01;
  return e;
}

TEST(VerdictRule, judges_a_sequence_by_its_extrapolation) {
  EXPECT_EQ(verdict(Kind::limit, {limit_in(0.995, 1.005)}), Verdict::supported);
  EXPECT_EQ(verdict(Kind::limit, {limit_in(0.5, 1.5)}), Verdict::undecided);
  auto away = limit_in(1.5, 1.6);
  EXPECT_EQ(verdict(Kind::limit, {away}), Verdict::undecided) << "extrapolation alone refutes nothing";
  away.witness = Witness{};
  EXPECT_EQ(verdict(Kind::limit, {away}), Verdict::refuted);
  auto infinite = limit_in(0.995, 1.005);
  infinite.ratio[2] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(verdict(Kind::limit, {infinite}), Verdict::error);
}

CompositeEvidence composite_of(std::vector<Verdict> verdicts) {
  CompositeEvidence e;
  int i = 0;
  for (const auto v : verdicts)
    e.parts.push_back({std::to_string(i++), std::make_shared<Evidence>(), {v, "reason", "change"}});
  return e;
}

TEST(VerdictRule, gives_a_composite_the_verdict_of_its_worst_part) {
  using enum Verdict;
  EXPECT_EQ(verdict(Kind::identity, {composite_of({certified, certified})}), certified);
  EXPECT_EQ(verdict(Kind::identity, {composite_of({certified, supported})}), supported);
  EXPECT_EQ(verdict(Kind::identity, {composite_of({supported, vacuous})}), vacuous);
  EXPECT_EQ(verdict(Kind::identity, {composite_of({vacuous, undecided, supported})}), undecided);
  EXPECT_EQ(verdict(Kind::identity, {composite_of({undecided, refuted})}), refuted);
  EXPECT_EQ(verdict(Kind::identity, {composite_of({refuted, error})}), error);
  EXPECT_EQ(verdict(Kind::identity, {composite_of({})}), error);
}

TEST(VerdictRule, leaves_undecided_what_awaits_a_named_comparison) {
  EXPECT_EQ(verdict(Kind::figure, {AwaitingEvidence{"a training run", "no weights here"}}), Verdict::undecided);
  EXPECT_EQ(verdict(Kind::figure, {AwaitingEvidence{}}), Verdict::error);
}

}  // namespace
}  // namespace attest::engine
