#include "reports/html/elements.hpp"

#include <gtest/gtest.h>

#include "reports/html/base64.hpp"

namespace attest::reports::html {
namespace {

TEST(Prose, sets_formulas_between_dollars_and_escapes_the_rest) {
  EXPECT_EQ(prose("if $a < b$ & so"), "if <span class=\"tex\">a &lt; b</span> &amp; so");
  EXPECT_EQ(prose(R"(as \(x\) grows)"), "as <span class=\"tex\">x</span> grows");
  EXPECT_EQ(prose("costs $5"), "costs $5");
}

TEST(Prose, sets_exponents_as_powers_of_ten) {
  EXPECT_EQ(prose("2.2e-16"), "2.2&#8239;×&#8239;10<sup>−16</sup>");
  EXPECT_EQ(prose("at most 1e-06."), "at most 10<sup>−6</sup>.");
  EXPECT_EQ(prose("[-3.5e+12, 4]"), "[−3.5&#8239;×&#8239;10<sup>12</sup>, 4]");
}

TEST(Prose, leaves_what_only_looks_like_an_exponent) {
  EXPECT_EQ(prose("0x1e3"), "0x1e3");
  EXPECT_EQ(prose("v1e3 and 2efg"), "v1e3 and 2efg");
  EXPECT_EQ(prose("eigenvalue-3"), "eigenvalue-3");
}

TEST(Prose, sets_minus_and_plus_minus_signs) { EXPECT_EQ(prose("[-0.5 +/- 2]"), "[−0.5 ± 2]"); }

TEST(Anchor, is_a_fragment_without_escapes) {
  EXPECT_EQ(anchor("boosting/eq-3.4"), "boosting/eq-3.4");
  EXPECT_EQ(anchor("a b\"<>&"), "a-b----");
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
