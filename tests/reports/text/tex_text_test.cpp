#include "reports/text/tex_text.hpp"

#include <gtest/gtest.h>

namespace attest::reports {
namespace {

TEST(TexEscaped, spells_out_what_latex_would_obey) {
  EXPECT_EQ(tex_escaped(R"(\input{x} 50% & #1 a_b ~ ^ $)"),
            R"(\textbackslash{}input\{x\} 50\% \& \#1 a\_b \textasciitilde{} \textasciicircum{} \$)");
  EXPECT_EQ(tex_escaped("a\n\nb\x01"), "a  b ");
  EXPECT_EQ(tex_escaped("a\u202Eb"), "a b");
}

TEST(HarmlessFormula, is_mathematics_and_nothing_else) {
  for (const char* formula : {R"(\frac{a}{b} \le \sqrt{N})", R"(\{x : x > 0\})",
                              R"(\begin{pmatrix}a & b \\ c & d\end{pmatrix})", R"(\mathbf W_Q^\top \, x_i')", ""})
    EXPECT_TRUE(is_harmless_formula(formula)) << formula;
  for (const char* formula :
       {R"(\input{/etc/passwd})", R"(x \write18{ls})", R"(\def\x{y})", R"(a % comment)", R"(a $ b)", R"(^^5cinput)",
        R"(a } b)", R"({a)", R"(a \] \section{x} \[)", R"(a \) b)", R"(\begin{document}x\end{document})",
        R"(\begin{verbatim}x)", R"(\csname input\endcsname)", R"(\catcode`\@=11)", R"(\expandafter\x)", R"(#1)"})
    EXPECT_FALSE(is_harmless_formula(formula)) << formula;
}

TEST(TexProse, leaves_harmless_formulas_to_latex_and_shows_the_others) {
  EXPECT_EQ(tex_prose("if $a<b$ & so"), R"(if \(a<b\) \& so)");
  EXPECT_EQ(tex_prose(R"(if $\input{x}$ then)"), R"(if \texttt{\textbackslash{}input\{x\}} then)");
  EXPECT_EQ(tex_prose("costs $5"), R"(costs \$5)");
}

}  // namespace
}  // namespace attest::reports
