#include "reports/record/totals.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/reports/example.hpp"

namespace attest::reports {
namespace {

TEST(Totals, count_verdicts_surprises_and_near_misses) {
  const Results results = example();
  const Totals sum = totals(results);
  EXPECT_EQ(sum.count(Verdict::supported), 3);
  EXPECT_EQ(sum.count(Verdict::error), 1);
  ASSERT_EQ(sum.unexpected.size(), 1U);
  EXPECT_EQ(sum.unexpected[0]->id, "primal-dual/gap");
  EXPECT_EQ(sum.near_misses.judged, 10) << "what was only planted is not counted as judged";
  EXPECT_EQ(sum.near_misses.refuted, 8);
  EXPECT_EQ(sum.near_misses.undecided, 0);
  EXPECT_EQ(sum.missed.size(), 2U);
}

TEST(Totals, count_exact_verdicts_and_those_with_a_file_for_others) {
  Results results;
  const auto add = [&](Verdict verdict, const char* witness, bool file) {
    Claim& claim = results.claims.emplace_back();
    claim.verdict = verdict;
    if (*witness != 0) claim.witness.emplace().kind = witness;
    if (file) claim.evidence_file = "certificates/a.json";
  };
  add(Verdict::certified, "", true);
  add(Verdict::certified, "", false);
  add(Verdict::refuted, "deterministic", true);
  add(Verdict::refuted, "stochastic", false);
  add(Verdict::supported, "", false);
  EXPECT_EQ(totals(results).exact, 3);
  EXPECT_EQ(totals(results).checkable, 2);
}

TEST(Totals, name_the_smallest_error_caught_whatever_its_sign_but_not_one_that_got_through) {
  const Results results = example();
  const auto caught = totals(results).smallest_caught;
  ASSERT_TRUE(caught.has_value());
  EXPECT_EQ(caught->delta, 0.001);
  EXPECT_EQ(smallest_caught(*find_claim(results, "boosting/softmax-perturbation"))->delta, 0.05)
      << "the error of 0.01 was not caught";
}

TEST(Totals, do_not_count_limits_with_the_trend_against_them_as_refuted) {
  Results results = example();
  Claim& claim = *std::find_if(results.claims.begin(), results.claims.end(),
                               [](const Claim& c) { return near_misses_of(c).refuted > 1; });
  const NearMissCounts before = near_misses_of(claim);
  const auto refuted = std::find_if(claim.near_misses.begin(), claim.near_misses.end(),
                                    [](const NearMiss& miss) { return miss.verdict == Verdict::refuted; });
  refuted->verdict = Verdict::undecided;  // caught as before: the trend of the grid is against it
  EXPECT_EQ(near_misses_of(claim).refuted, before.refuted - 1);
  EXPECT_EQ(near_misses_of(claim).undecided, 1);
  EXPECT_EQ(near_misses_of(claim).caught(), before.caught());
  EXPECT_EQ(totals(results).near_misses.refuted, 7);
  EXPECT_EQ(totals(results).near_misses.undecided, 1);
  EXPECT_EQ(totals(results).missed.size(), 2U) << "caught, if not refuted";
}

TEST(Totals, say_near_misses_in_words) {
  EXPECT_EQ(in_words(NearMissCounts{12, 12, 0}), "12 of 12 refuted");
  EXPECT_EQ(in_words(NearMissCounts{12, 9, 3}),
            "9 of 12 refuted, 3 undecided with the trend of their grid against them");
  EXPECT_EQ(in_words(NearMissCounts{12, 11, 1}), "11 of 12 refuted, 1 undecided with the trend of its grid against it");
}

TEST(Headline, says_what_decided) {
  const Results results = example();
  const auto of = [&](const char* id) { return headline(*find_claim(results, id)); };
  EXPECT_EQ(of("boosting/snr-strict-gain"), "0.9682 ≤ 1") << "the contradiction, not the claim";
  EXPECT_EQ(of("boosting/softmax-perturbation"), "[0.1298, 0.1344] against 0.25");
  EXPECT_EQ(of("boosting/snr-first-inequality"), "least slack 2.2e-16, tightness 1");
  EXPECT_EQ(of("primal-dual/kkt"), "all 2 parts supported");
  EXPECT_EQ(of("primal-dual/gap"), "The solver threw: no convergence in 10,000 steps.");
}

TEST(Headline, of_parts_gives_the_worst_of_what_they_all_have) {
  Claim claim;
  for (const double bits : {117.0, 90.0, 101.0}) {
    Part part{"part", Verdict::supported, {}};
    part.evidence.accuracy_bits = bits;
    claim.evidence.parts.push_back(part);
  }
  EXPECT_EQ(headline(claim), "3 parts equal to 90 bits");
  claim.evidence.parts[1].evidence.accuracy_bits.reset();
  EXPECT_EQ(headline(claim), "all 3 parts supported");
}

TEST(Headline, tells_an_interval_from_its_bound_where_few_digits_do_not) {
  Claim claim;
  claim.evidence.interval = Interval{1 - 2e-9, 1 + 1e-9};
  claim.evidence.bound = 1.0;
  EXPECT_EQ(headline(claim), "within 2e-09 of 1");
}

}  // namespace
}  // namespace attest::reports
