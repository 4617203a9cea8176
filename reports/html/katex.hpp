// KaTeX, taken from the system and carried inside the page.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attest::reports::html {

/// What a page needs to typeset formulas without a network. Empty when KaTeX was not found.
struct Katex {
  std::string script;  ///< JavaScript
  std::string style;   ///< CSS, fonts embedded as data: URIs
  bool available() const { return !script.empty(); }

  /// `style` without the fonts of alphabets (calligraphic, Fraktur, script, sans serif, typewriter) that no formula in
  /// `html` asks for: they are half of its size.
  std::string style_for(std::string_view html) const;
};

/// Where KaTeX may lie: directories that hold katex.min.js (or katex.js), katex.min.css and fonts/. First the variable
/// ATTEST_KATEX, then where Debian, Fedora, Arch and npm put it.
std::vector<std::filesystem::path> katex_directories();

/// KaTeX from the first of the directories that holds its script and its style sheet; otherwise nothing. Fonts are
/// WOFF2 from fonts/ there, else from Debian's package of them; the other formats are left out, and for a font that is
/// missing a serif font of the reader's machine stands in.
Katex load_katex(const std::vector<std::filesystem::path>& directories);

}  // namespace attest::reports::html
