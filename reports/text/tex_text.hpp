// Text on its way into LaTeX.
#pragma once

#include <string>
#include <string_view>

namespace attest::reports {

/// `text` so that LaTeX sets every character of it: \ { } $ & # _ % ~ ^ are spelled out; control characters, empty
/// lines and marks that turn the direction of writing become spaces.
std::string tex_escaped(std::string_view text);

/// True when a formula may be handed to LaTeX as it is: its braces balance, and it holds no $, %, #, ^^, environment
/// other than those of mathematics, and no command that reads, writes or defines anything (\input, \write, \def,
/// \catcode, ...).
bool is_harmless_formula(std::string_view tex);

/// A formula inside a line, \(...\), on one line of source; where it is not harmless its source as text.
std::string tex_inline(std::string_view formula);

/// The same on lines of its own, \[...\].
std::string tex_display(std::string_view formula);

/// Prose with formulas between dollars: these by `tex_inline`, the rest by `tex_escaped`.
std::string tex_prose(std::string_view text);

}  // namespace attest::reports
