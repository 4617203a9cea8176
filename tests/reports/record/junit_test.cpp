#include "reports/record/junit.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/example.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string test_case(const std::string& xml, const std::string& name) {
  const std::size_t start = xml.find("name=\"" + name + "\"");
  return start == std::string::npos ? "" : xml.substr(start, xml.find("</testcase>", start) - start);
}

TEST(Junit, counts_cases_failures_and_errors) {
  EXPECT_THAT(junit_xml(example()), HasSubstr("<testsuites name=\"attest\" tests=\"9\" failures=\"2\" errors=\"1\""));
}

TEST(Junit, passes_a_refuted_claim_that_was_expected_to_be_refuted) {
  EXPECT_THAT(test_case(junit_xml(example()), "boosting/snr-strict-gain"),
              AllOf(HasSubstr("refuted"), Not(HasSubstr("<failure"))));
}

TEST(Junit, fails_a_claim_whose_near_miss_got_through_and_errs_where_the_check_did) {
  const std::string xml = junit_xml(example());
  EXPECT_THAT(
      test_case(xml, "boosting/softmax-perturbation"),
      HasSubstr(
          "<failure type=\"supported\" message=\"near-miss not refuted but supported: L lowered by 1 percent\">"));
  EXPECT_THAT(test_case(xml, "primal-dual/gap"),
              HasSubstr("<error type=\"error\" message=\"verdict error, expected supported\">"));
}

TEST(Junit, names_the_finding_and_fails_a_claim_whose_near_hit_falls) {
  Results results = example();
  Claim& refuted = results.claims[1];
  refuted.finding = "constant";
  EXPECT_THAT(test_case(junit_xml(results), refuted.id),
              AllOf(HasSubstr("refuted, constant"), Not(HasSubstr("<fail"))));
  NearMiss hit;
  hit.name = "a tenth weaker";
  hit.verdict = Verdict::refuted;
  refuted.near_hits = {hit};
  EXPECT_THAT(test_case(junit_xml(results), refuted.id),
              HasSubstr("message=\"near-hit does not stand but is refuted: a tenth weaker\""));
}

TEST(Junit, carries_the_run_as_properties) {
  EXPECT_THAT(junit_xml(example()), AllOf(HasSubstr("<property name=\"seed\" value=\"20250101\"/>"),
                                          HasSubstr("<property name=\"false_alarm_bound\" value=\"1e-06\"/>")));
}

TEST(Junit, is_well_formed_xml_whatever_the_texts_hold) {
  if (std::system("command -v xmllint >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "xmllint (libxml2-utils) is not installed";
  const test_support::ScratchFolder folder;
  Results results = example();
  results.claims[0].title = "]]> \x01 \xff <!-- & -->";
  const auto file = folder.write("junit.xml", junit_xml(results));
  EXPECT_EQ(std::system(("xmllint --noout '" + file.string() + "'").c_str()), 0);
}

}  // namespace
}  // namespace attest::reports
