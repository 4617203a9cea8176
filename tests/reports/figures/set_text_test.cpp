#include "reports/figures/set_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::reports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(EnhancedText, sets_formulas_and_what_is_typed_as_one) {
  EXPECT_EQ(enhanced_text("length $N$"), "length {/:Italic N}");
  EXPECT_EQ(enhanced_text("$\\lambda_{\\max}$ of W_Q"), "λ_{max} of W_{Q}");
  EXPECT_EQ(enhanced_text("N = 2^24, sigma = N^(-1/4)"), "N = 2^{24}, σ = N^{-1/4}");
  EXPECT_EQ(enhanced_text("a <= b -> c"), "a ≤ b → c");
}

TEST(EnhancedText, leaves_names_and_escapes_what_gnuplot_would_read) {
  EXPECT_EQ(enhanced_text("snr_boosting"), "snr\\_boosting");
  EXPECT_EQ(enhanced_text("a {b} \\c @d &e ~f"), "a \\{b\\} \\\\c \\@d \\&e \\~f");
  EXPECT_EQ(enhanced_text("x_"), "x\\_");
  EXPECT_EQ(enhanced_text("an unpaired $ and x^{"), "an unpaired $ and x\\^\\{");
}

TEST(LinesWithin, break_at_spaces_and_cut_the_last) {
  EXPECT_THAT(lines_within("  ", 10, 2), IsEmpty());
  EXPECT_THAT(lines_within("one two three four", 4.4, 2), ElementsAre("one two", "three f…"));
  EXPECT_THAT(lines_within("$x$", 5, 2), ElementsAre("{/:Italic x}"));
  EXPECT_EQ(lines_within(std::string(100'000, 'x') + " y", 20, 3).size(), 2U);
}

}  // namespace
}  // namespace attest::reports
