#include "reports/text/readable_tex.hpp"

#include <gtest/gtest.h>

namespace attest::reports {
namespace {

TEST(ReadableTex, sets_symbols_accents_and_small_indices_as_characters) {
  EXPECT_EQ(readable_tex(R"(\sigma(y+\hat y) \ge x_{ij}^2)"), "σ(y+y\u0302) ≥ xᵢⱼ²");
  EXPECT_EQ(readable_tex(R"(\mathbb{E}\,\|\eta\|_2 \le \sigma L\sqrt{N})"), "𝔼 ‖η‖₂ ≤ σ L√N");
}

TEST(ReadableTex, brackets_what_would_otherwise_be_read_differently) {
  EXPECT_EQ(readable_tex(R"(\frac{a+b}{2N})"), "(a+b)/(2N)");
  EXPECT_EQ(readable_tex(R"(\frac{1}{1+\gamma})"), "1/(1+γ)");
  EXPECT_EQ(readable_tex(R"(\sqrt{2N})"), "√(2N)");
  EXPECT_EQ(readable_tex(R"(K^{\ell+1})"), "K^(ℓ+1)");
}

TEST(ReadableTex, drops_commands_that_only_change_the_looks) {
  EXPECT_EQ(readable_tex(R"(\left\| \boldsymbol{u} \right\|_{\mathrm{op}})"), "‖ u ‖_op");
  EXPECT_EQ(readable_tex(R"(\operatorname{softmax}\bigl(c\bigr))"), "softmax(c)");
  EXPECT_EQ(readable_tex(R"(\hat{\mathbf y})"), "y\u0302");
}

TEST(ReadableTex, keeps_the_names_of_commands_it_does_not_know) {
  EXPECT_EQ(readable_tex(R"(\argmin_x f)"), "argmin_x f");
}

TEST(ReadableTex, ends_on_any_input) {
  for (const char* tex : {"", "{", "}", "\\", "^", "_{", "\\frac", "\\sqrt{", "a}b}c", "\\begin{aligned}"}) {
    EXPECT_LE(readable_tex(tex).size(), 20U) << tex;
  }
}

TEST(ReadableText, sets_only_what_stands_between_dollars) {
  EXPECT_EQ(readable_text(R"(Here $\alpha_1 \le 2$ holds.)"), "Here α₁ ≤ 2 holds.");
  EXPECT_EQ(readable_text("costs $5 and no more"), "costs $5 and no more");
}

}  // namespace
}  // namespace attest::reports
