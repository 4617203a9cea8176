#include "reports/record/lacking_evidence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::reports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Claim certified(const std::string& id, const std::string& why, const std::vector<std::string>& parts) {
  Claim claim;
  claim.id = id;
  claim.verdict = Verdict::certified;
  claim.no_evidence = why;
  for (const std::string& part : parts) claim.evidence.parts.push_back({part, Verdict::certified, {}});
  return claim;
}

TEST(LackingEvidence, of_a_claim_without_parts_is_its_reason) {
  const auto lacking = lacking_evidence(certified("a/b", "it is refuted: the left side is larger; so it falls", {}));
  ASSERT_EQ(lacking.size(), 1U);
  EXPECT_EQ(lacking[0].reason, "it is refuted: the left side is larger; so it falls") << "nothing in it is a part";
  EXPECT_THAT(lacking[0].parts, IsEmpty());
  EXPECT_THAT(lacking_evidence(certified("a/b", "", {"x"})), IsEmpty());
}

TEST(LackingEvidence, has_each_reason_once_with_its_parts) {
  const Claim claim =
      certified("a/b", "x: by signs; far; x: y: in C++; last: by signs; far", {"x", "x: y", "last", "other"});
  const auto lacking = lacking_evidence(claim);
  ASSERT_EQ(lacking.size(), 2U);
  EXPECT_EQ(lacking[0].reason, "by signs; far");
  EXPECT_THAT(lacking[0].parts, ElementsAre("x", "last"));
  EXPECT_EQ(lacking[1].reason, "in C++");
  EXPECT_THAT(lacking[1].parts, ElementsAre("x: y")) << "the longest name that fits";
  EXPECT_EQ(lacking_in_words(claim), "x, last: by signs; far; x: y: in C++");
}

TEST(LackingEvidence, finds_parts_of_parts) {
  Claim claim = certified("a/b", "x / deep: by signs; x / low: by signs", {"x", "z"});
  claim.evidence.parts[0].evidence.parts = {{"deep", {}, {}}, {"low", {}, {}}};
  EXPECT_EQ(lacking_in_words(claim), "x / deep, x / low: by signs");
  Results results;
  results.claims = {claim};
  EXPECT_THAT(lacking_by_reason(results)[0].claims, ElementsAre("a/b (2 of 3 parts)"));
}

TEST(LackingEvidence, of_a_run_names_claims_and_how_much_of_them_by_reason) {
  Results results;
  results.claims = {certified("a/whole", "in C++", {}), certified("a/one-part", "x: in C++", {"x", "y"}),
                    certified("a/all-parts", "x: in C++; y: in C++", {"x", "y"}),
                    certified("a/some", "x: in C++; y: in C++; z: by signs", {"x", "y", "z"}),
                    certified("a/not-exact", "by signs", {})};
  results.claims.back().verdict = Verdict::supported;
  const auto lacking = lacking_by_reason(results);
  ASSERT_EQ(lacking.size(), 2U);
  EXPECT_EQ(lacking[0].reason, "in C++");
  EXPECT_THAT(lacking[0].claims, ElementsAre("a/whole", "a/one-part (x)", "a/all-parts", "a/some (2 of 3 parts)"));
  EXPECT_EQ(lacking[1].reason, "by signs");
  EXPECT_THAT(lacking[1].claims, ElementsAre("a/some (z)"));
}

}  // namespace
}  // namespace attest::reports
