#include "reports/html/katex.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"

namespace attest::reports::html {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Katex, embeds_the_fonts_that_are_there_and_names_no_file) {
  const test_support::ScratchFolder folder;
  folder.write("katex/katex.min.js", "render");
  folder.write("katex/katex.min.css",
               "@font-face{font-family:A;src:url(fonts/A.woff2) format('woff2'),url(fonts/A.woff) "
               "format('woff');font-weight:400}"
               "@font-face{src:url(fonts/B.woff2) format('woff2')}.katex{color:red}");
  folder.write("katex/fonts/A.woff2", "foobar");
  const Katex katex = load_katex({folder.path() / "absent", folder.path() / "katex"});
  ASSERT_TRUE(katex.available());
  EXPECT_EQ(katex.script, "render");
  EXPECT_THAT(katex.style, AllOf(HasSubstr("src:url(data:font/woff2;base64,Zm9vYmFy) format('woff2');font-weight:400}"),
                                 HasSubstr(".katex{color:red}"), Not(HasSubstr("url(fonts/"))));
}

TEST(Katex, leaves_out_the_alphabets_that_no_formula_asks_for) {
  const Katex katex{"render",
                    "@font-face{font-family:KaTeX_Main;src:url(data:x)}@font-face{font-family:KaTeX_Fraktur;"
                    "src:url(data:y)}.katex{color:red}"};
  EXPECT_EQ(katex.style_for("a + b"), "@font-face{font-family:KaTeX_Main;src:url(data:x)}.katex{color:red}");
  EXPECT_EQ(katex.style_for("\\mathfrak{g}"), katex.style);
  EXPECT_EQ(Katex{}.style_for("a"), "");
  const Katex weights{"render",
                      "@font-face{font-family:KaTeX_Math;src:url(data:x) format('woff2');font-weight:700}"
                      "@font-face{font-family:KaTeX_Math;src:url(data:y) format('woff2');font-weight:400}"};
  EXPECT_EQ(weights.style_for("\\boldsymbol{x}"), weights.style);
  EXPECT_EQ(weights.style_for("x"),
            "@font-face{font-family:KaTeX_Math;src:url(data:y) format('woff2');font-weight:400}");
}

TEST(Katex, is_not_available_when_a_part_is_missing) {
  const test_support::ScratchFolder folder;
  folder.write("katex/katex.min.js", "render");
  EXPECT_FALSE(load_katex({folder.path() / "katex"}).available());
  EXPECT_FALSE(load_katex({}).available());
}

}  // namespace
}  // namespace attest::reports::html
