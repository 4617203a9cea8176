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
  EXPECT_THAT(explained("boosting/snr-strict-gain"),
              AllOf(HasSubstr("min(α,β)>γ ⟹ √(1+2αβ+α²)/(1+γ) > 1"), HasSubstr("Verdict: refuted (as on record)"),
                    HasSubstr("0x1.199999999999ap-3"), HasSubstr("attest replay"), HasSubstr("500 bits"),
                    HasSubstr("boosting/snr-strict-gain-amended (certified)"), HasSubstr("What would change it")));
}

TEST(Explanation, of_an_unexpected_verdict_names_the_one_on_record) {
  EXPECT_THAT(explained("primal-dual/gap"), HasSubstr("Verdict: error (on record: supported)"));
}

TEST(Explanation, shows_configurations_and_every_near_miss_with_its_verdict) {
  EXPECT_THAT(explained("boosting/softmax-perturbation"),
              AllOf(HasSubstr("three-point, N = 1024: "), HasSubstr("1 of 2 refuted by the same check"),
                    HasSubstr("L lowered by 1 percent (δ = -0.01): supported")));
  EXPECT_THAT(explained("primal-dual/kkt"), HasSubstr("not judged in this run"));
}

}  // namespace
}  // namespace attest::reports
