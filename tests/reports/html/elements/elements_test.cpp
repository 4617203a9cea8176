#include "reports/html/elements/elements.hpp"

#include <gtest/gtest.h>

#include "reports/files/base64.hpp"
#include "tests/reports/example.hpp"

namespace attest::reports::html {
namespace {

TEST(Prose, sets_formulas_between_dollars_and_escapes_the_rest) {
  EXPECT_EQ(prose("if $a < b$ & so"), "if <span class=\"tex\">a &lt; b</span> &amp; so");
  EXPECT_EQ(prose(R"(as \(x\) grows)"), "as <span class=\"tex\">x</span> grows");
  EXPECT_EQ(prose("costs $5"), "costs $5");
}

TEST(Sentence, is_prose_made_a_sentence) { EXPECT_EQ(sentence("agree to 1e-9"), "Agree to 10<sup>−9</sup>."); }

TEST(Remark, links_the_statements_that_it_names_and_nothing_else) {
  const Results results = example();
  EXPECT_EQ(remark(results, "see boosting/softmax-perturbation. And boosting/none"),
            "See <a href=\"report-paper-boosting.html#boosting/softmax-perturbation\">Thm 3.2 / Eq 3.12 (upper "
            "bound)</a>. And boosting/none.");
}

TEST(CheckCommand, names_the_file_of_the_claim_or_those_of_its_parts) {
  Claim claim;
  claim.id = "boosting/eq-3.14";
  EXPECT_EQ(check_command(claim), "");
  claim.evidence_file = "certificates/boosting-eq-3.14.json";
  EXPECT_NE(check_command(claim).find("check_evidence.py certificates/boosting-eq-3.14.json<"), std::string::npos);
  claim.evidence_file = "certificates/boosting-eq-3.14.2.json";
  EXPECT_NE(check_command(claim).find("check_evidence.py certificates/boosting-eq-3.14.[0-9]*.json<"),
            std::string::npos);
}

TEST(Base64, agrees_with_the_test_vectors_of_rfc_4648) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) EXPECT_EQ(base64(bytes), text);
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

}  // namespace
}  // namespace attest::reports::html
