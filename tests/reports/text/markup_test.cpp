#include "reports/text/markup.hpp"

#include <gtest/gtest.h>

namespace attest::reports {
namespace {

TEST(Escaped, leaves_no_character_that_markup_reads) {
  EXPECT_EQ(escaped(R"(</script> & "it's")"), "&lt;/script&gt; &amp; &quot;it&#39;s&quot;");
}

TEST(Escaped, keeps_well_formed_utf8_and_line_breaks) { EXPECT_EQ(escaped("α ≤ 𝔼\n\tβ"), "α ≤ 𝔼\n\tβ"); }

TEST(Escaped, replaces_what_xml_cannot_hold) {
  EXPECT_EQ(escaped(std::string_view("a\0b", 3)), "a\uFFFDb");
  EXPECT_EQ(escaped("\x1b[31m"), "\uFFFD[31m");
  EXPECT_EQ(escaped("\xff"), "\uFFFD");
  EXPECT_EQ(escaped("\xc3"), "\uFFFD") << "cut off in the middle of a character";
  EXPECT_EQ(escaped("\xc0\xaf"), "\uFFFD\uFFFD") << "overlong";
  EXPECT_EQ(escaped("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD") << "surrogate";
}

}  // namespace
}  // namespace attest::reports
