// Formulas where nothing can typeset them: TeX as a line of Unicode text.
#pragma once

#include <string>
#include <string_view>

namespace attest::reports {

/// A TeX formula (without dollar signs) as plain text that reads aloud well enough: "\frac{a+b}{n} \le \sqrt{N}"
/// becomes "(a+b)/n ≤ √N". Commands that are not known keep their names; the meaning is never changed to fit.
std::string readable_tex(std::string_view tex);

/// Prose with formulas between dollars, all of it as plain text that is `printable`.
std::string readable_text(std::string_view text);

}  // namespace attest::reports
