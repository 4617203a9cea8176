#include "reports/html/elements/prose.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace attest::reports::html {
namespace {

int formulas_in(std::string_view html) {
  int count = 0;
  for (std::size_t at = html.find("data-display"); at != std::string_view::npos; at = html.find("data-display", at + 1))
    ++count;
  return count;
}

TEST(DisplayFormula, gives_each_aligned_part_a_formula_of_its_own_so_that_it_can_break) {
  const std::string html =
      display_formula(R"(\begin{aligned}&\text{one: }\ a = b \\ &\text{two: }\ c = d\end{aligned})");
  EXPECT_EQ(formulas_in(html), 2);
  EXPECT_EQ(html.find("aligned"), std::string::npos);
  EXPECT_NE(html.find(R"(\text{two: }\ c = d</span>)"), std::string::npos);
}

TEST(DisplayFormula, keeps_environments_inside_of_a_part_whole) {
  const std::string html =
      display_formula(R"(\begin{aligned}&x = \begin{cases}1 \\ &2\end{cases} \\ &y = 3\end{aligned})");
  EXPECT_EQ(formulas_in(html), 2);
  EXPECT_NE(html.find(R"(1 \\ &amp;2\end{cases}</span>)"), std::string::npos);
}

TEST(DisplayFormula, leaves_other_formulas_as_they_are) { EXPECT_EQ(formulas_in(display_formula(R"(a \\ &b)")), 1); }

}  // namespace
}  // namespace attest::reports::html
