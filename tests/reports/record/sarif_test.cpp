// Findings as GitHub's code scanning takes them.
#include "reports/record/sarif.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/reports/example.hpp"

namespace attest::reports {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(UriFrom, is_relative_below_the_folder_and_percent_encoded) {
  EXPECT_EQ(uri_from("/home/me/repo", "bound.attest"), "bound.attest");
  EXPECT_EQ(uri_from("/home/me/repo", "./papers/../my bound.attest"), "my%20bound.attest");
  EXPECT_EQ(uri_from("/home/me/repo", "/home/me/repo/kernels/m\xc3\xaf:ne.py"), "kernels/m%C3%AF%3Ane.py");
  EXPECT_EQ(uri_from("/home/me/repo", "/tmp/a#b.py"), "file:///tmp/a%23b.py") << "elsewhere";
}

TEST(Sarif, names_each_rule_once_and_gives_each_finding_a_file_and_a_line) {
  const std::vector<SarifFinding> findings = {{.rule = "wrong scale", .message = "off by 2", .place = {"a.py", 7}},
                                              {.rule = "no mask", .message = "leaks", .place = {"a.py", 0}},
                                              {.rule = "wrong scale", .message = "again", .place = {"b.py", 3}}};
  const json document = json::parse(sarif("attest judge", "0.1.0", findings, "/repo"));
  EXPECT_EQ(document["version"], "2.1.0");
  const json& run = document["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["version"], "0.1.0");
  const json& rules = run["tool"]["driver"]["rules"];
  ASSERT_EQ(rules.size(), 2U);
  for (const json& rule : rules)
    for (const char* key : {"shortDescription", "fullDescription", "help"}) EXPECT_NE(rule[key]["text"], "") << key;
  ASSERT_EQ(run["results"].size(), 3U);
  for (const json& result : run["results"]) {
    EXPECT_EQ(rules[result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
    EXPECT_GE(result["locations"][0]["physicalLocation"]["region"]["startLine"], 1);
  }
  EXPECT_EQ(run["results"][2]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "b.py");
}

TEST(Sarif, is_json_whatever_bytes_a_message_holds) {
  EXPECT_NO_THROW(json::parse(sarif("t", "1", {{.rule = "r", .message = "\xff", .place = {"a", 1}}}, "/")));
}

TEST(FindingsOf, a_check_are_what_makes_its_exit_code_1_beside_the_statement) {
  Results results = example();
  for (Claim& claim : results.claims) claim.source = "papers/" + claim.paper + ".attest:12";
  const std::vector<SarifFinding> findings = findings_of(results);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.front().rule, "a check failed");
  EXPECT_THAT(findings.front().message, HasSubstr("primal-dual/gap"));
  for (const SarifFinding& finding : findings) {
    EXPECT_THAT(finding.place.file.string(), testing::EndsWith(".attest"));
    EXPECT_EQ(finding.place.line, 12);
  }
  for (Claim& claim : results.claims) claim.source = "theorems/boosting/figure_2.cpp";
  EXPECT_EQ(findings_of(results).front().place.line, 1) << "a file without a line";
}

}  // namespace
}  // namespace attest::reports
