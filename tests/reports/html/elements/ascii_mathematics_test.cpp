#include "reports/html/elements/ascii_mathematics.hpp"

#include <gtest/gtest.h>

namespace attest::reports::html {
namespace {

std::string set(std::string_view text) { return set_ascii_mathematics(text, Digits::rounded); }

TEST(AsciiMathematics, sets_greek_letters_indices_and_powers_of_symbols) {
  EXPECT_EQ(set("alpha_j <= N^{-1/2}"), "α<sub>j</sub> ≤ N<sup>−1/2</sup>");
  EXPECT_EQ(set("K_SA in 2A - A^2"), "K<sub>SA</sub> in 2A − A<sup>2</sup>");
  EXPECT_EQ(set("(1+eps)^2, sqrt(dN), sqrt N -> infinity"), "(1+eps)<sup>2</sup>, √(dN), √N → ∞");
  EXPECT_EQ(set("||V|| != |eta|"), "‖V‖ ≠ |η|");
  EXPECT_EQ(set("lambda^0.9, |V|_op, +-1, D^(1/4)."), "λ<sup>0.9</sup>, |V|<sub>op</sub>, ±1, D<sup>1/4</sup>.");
}

TEST(AsciiMathematics, sets_exponents_of_numbers_as_powers_of_ten) {
  EXPECT_EQ(set("2.2e-16"), "2.2\u202F×\u202F10<sup>−16</sup>");
  EXPECT_EQ(set("1.02e+03 points"), "1020 points") << "a person writes small numbers in full";
  EXPECT_EQ(set("at most 1e-06."), "at most 10<sup>−6</sup>.");
  EXPECT_EQ(set("[-3.5e+12, 4]"), "[−3.5\u202F×\u202F10<sup>12</sup>, 4]");
}

TEST(AsciiMathematics, sets_what_stands_under_operations_and_beside_products) {
  EXPECT_EQ(set("max_j |v_j|, dx_i"), "max<sub>j</sub> |v<sub>j</sub>|, dx<sub>i</sub>");
  EXPECT_EQ(set("theta0 x + theta1 L x"), "θ<sub>0</sub> x + θ<sub>1</sub> L x");
  EXPECT_EQ(set("gamma(3/2) + gamma"), "Γ(3/2) + γ");
  EXPECT_EQ(set("S^n_+"), "S<sup>n</sup><sub>+</sub>");
  EXPECT_EQ(set("L~X, x~y"), "<span class=\"tex\">\\tilde{L}</span>X, x~y");
}

TEST(AsciiMathematics, sets_minus_signs_but_no_hyphens) {
  EXPECT_EQ(set("-1, alpha - beta, [-C, C]"), "−1, α − β, [−C, C]");
  EXPECT_EQ(set("at least -(a - 1)/2, the (-x) of f-(g)"), "at least −(a − 1)/2, the (−x) of f-(g)");
  EXPECT_EQ(set("a well-posed primal-dual pair - or not"), "a well-posed primal-dual pair - or not");
}

TEST(AsciiMathematics, leaves_words_and_identifiers_alone) {
  for (const char* text :
       {"snr_boosting", "0x1e3", "v1e3 and 2efg", "boosting/snr", "the alphabet", "eq_5_x", "x_", "2nd"}) {
    EXPECT_EQ(set(text), text);
  }
}

TEST(AsciiMathematics, leaves_accents_over_a_symbol_to_katex) {
  EXPECT_EQ(set("alpha~_j"), "<span class=\"tex\">\\tilde{\\alpha}</span><sub>j</sub>");
  EXPECT_EQ(set("mu_4(K^)"), "μ<sub>4</sub>(<span class=\"tex\">\\hat{K}</span>)");
  EXPECT_EQ(set("u_hat, u_hats"), "<span class=\"tex\">\\hat{u}</span>, u<sub>hats</sub>");
  EXPECT_EQ(set("N ~ n"), "N ~ n");
}

TEST(AsciiMathematics, shortens_enclosures_to_what_is_certain_and_long_decimals_to_six_digits) {
  EXPECT_EQ(set("[-0.50000000000000000 +/- 3e-22]"), "−0.5");
  EXPECT_EQ(set("[1.23456789 +/- 1e-3]"), "1.23");
  EXPECT_EQ(set("[1e-9 +/- 1e-3]"), "[10<sup>−9</sup> ± 10<sup>−3</sup>]") << "nothing of it is certain";
  EXPECT_EQ(set("0.98437512345678901"), "0.984375");
  EXPECT_EQ(set_ascii_mathematics("[0.98437512345678901 +/- 1e-9]", Digits::exact),
            "[0.98437512345678901 ± 10<sup>−9</sup>]");
  // A point that moves takes no digit with it.
  EXPECT_EQ(set_ascii_mathematics("1.2345678901e+03", Digits::exact), "1234.5678901");
  EXPECT_EQ(set_ascii_mathematics("1.02e+03", Digits::exact), "1020");
  EXPECT_EQ(set_ascii_mathematics("1.2345678901e+03", Digits::rounded), "1235");
}

TEST(AsciiMathematics, sets_derivatives_but_no_apostrophes) {
  EXPECT_EQ(set("h^4 m'''' and K's"), "h<sup>4</sup> m⁗ and K&#39;s");
}

TEST(AsciiMathematics, takes_the_end_of_a_quotation_for_no_derivative) {
  EXPECT_EQ(set("'terms of the context length N'. Then"), "&#39;terms of the context length N&#39;. Then");
  EXPECT_EQ(set("('the matrix S'), and W' = W"), "(&#39;the matrix S&#39;), and W′ = W");
  EXPECT_EQ(set("'X = W' Y' says"), "&#39;X = W′ Y&#39; says");
  EXPECT_EQ(set("'its slope is m'' at t'' here"), "&#39;its slope is m″ at t′&#39; here");
  EXPECT_EQ(set("'one' and 'the other N'"), "&#39;one&#39; and &#39;the other N&#39;");
}

TEST(AsciiMathematics, escapes_everything_else) {
  EXPECT_EQ(set("x_{<b>} & \"q\""), "x<sub>&lt;b&gt;</sub> &amp; &quot;q&quot;");
}

}  // namespace
}  // namespace attest::reports::html
