#include "simulations/judge/judgement/refusals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::judge {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

Record refused(const CaseSpec& spec, const std::string& why) { return {.spec = spec, .refusal = why}; }
Record judged(const CaseSpec& spec) { return {.spec = spec, .judged = true}; }

TEST(Refusals, name_what_the_refused_cases_alone_have) {
  CaseSpec plain, causal, masked;
  causal.causal = masked.causal = true;
  masked.mask = "bool NN", masked.batch = 2;
  EXPECT_THAT(refusals_of({judged(plain), refused(masked, "no"), refused(causal, "no")}),
              ElementsAre("2 cases with causal, the smallest " + text_of(causal) + ": no"));
}

TEST(Refusals, name_the_extent_from_which_on_cases_are_refused) {
  CaseSpec shorter, longer;
  longer.queries = 101;
  EXPECT_THAT(refusals_of({judged(shorter), refused(longer, "no")}),
              ElementsAre(StartsWith("1 case with more queries than keys and 101 or more queries, the")));
}

TEST(Refusals, give_the_smallest_case_where_nothing_tells_them_apart) {
  const CaseSpec plain;
  EXPECT_THAT(refusals_of({judged(plain), refused(plain, "no")}),
              ElementsAre("1 case, the smallest " + text_of(plain) + ": no"));
}

TEST(Refusals, keep_reasons_apart_and_leave_those_of_files_as_they_are) {
  const CaseSpec plain;
  EXPECT_THAT(refusals_of({refused(plain, "cases without a recorded answer"), refused(plain, "no"), judged(plain)}),
              ElementsAre("cases without a recorded answer", StartsWith("1 case")));
}

}  // namespace
}  // namespace attest::judge
