#include "reports/explain/explanation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/example.hpp"

namespace attest::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string explained(const char* id) {
  const Results results = example();
  return explanation(results, *find_claim(results, id), {.columns = 100, .colour = false});
}

TEST(Explanation, of_a_refuted_claim_shows_statement_witness_replay_and_amendment) {
  EXPECT_THAT(
      explained("boosting/snr-strict-gain"),
      AllOf(HasSubstr("min(α,β)>γ ⟹ √(1+2αβ+α²)/(1+γ) > 1"), HasSubstr("Verdict: refuted, constant (as on record)"),
            HasSubstr("0x1.199999999999ap-3"), HasSubstr("attest replay"), HasSubstr("500 bits"),
            HasSubstr("boosting/snr-strict-gain-amended (certified)"), HasSubstr("What would change it")));
}

TEST(Explanation, of_an_unexpected_verdict_names_the_one_on_record) {
  EXPECT_THAT(explained("primal-dual/gap"), HasSubstr("Verdict: error (on record: supported)"));
}

TEST(Explanation, says_what_the_check_owes) {
  EXPECT_THAT(explained("boosting/softmax-perturbation"),
              AllOf(HasSubstr("Its check owes"), HasSubstr("parts without near miss: (upper bound, N = 64)")));
}

TEST(Explanation, of_a_statement_that_was_not_judged_claims_no_more_than_the_record) {
  const Results results = example();
  const std::string text = static_explanation(results, *find_claim(results, "boosting/snr-strict-gain"), {});
  EXPECT_THAT(text, AllOf(HasSubstr("On record: refuted, constant"), HasSubstr("snr-strict-gain-amended"),
                          HasSubstr("Not judged here"), testing::Not(HasSubstr("Verdict:")),
                          testing::Not(HasSubstr("Witness"))));
}

TEST(Explanation, hands_no_control_character_on_to_the_terminal) {
  Results results = example();
  results.claims[1].title = "red \x1b[31m title";
  results.claims[1].note = "a bell \a rings";
  const std::string text = explanation(results, results.claims[1], {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\a'), std::string::npos);
}

TEST(Explanation, shows_configurations_and_every_near_miss_with_its_verdict) {
  EXPECT_THAT(explained("boosting/softmax-perturbation"),
              AllOf(HasSubstr("three-point, N = 1024: "), HasSubstr("Near-misses (by the same check 1 of 2 refuted)"),
                    HasSubstr("L lowered by 1 percent (δ = -0.01): supported")));
  EXPECT_THAT(explained("primal-dual/kkt"), HasSubstr("not judged in this run"));
}

}  // namespace
}  // namespace attest::reports
