// Prose of a results document as HTML: what authors type in ASCII, set as it is printed.
#pragma once

#include <string>
#include <string_view>

namespace attest::reports::html {

/// Prose with formulas between dollars (or \( and \)), which are left to KaTeX; an unpaired dollar is a dollar. Outside
/// of them ASCII mathematics is set: "alpha_j <= 2^{-n}" with a Greek letter, an index, a sign and a power; 1.5e-07 as
/// a power of ten; the enclosure [0.50 +/- 1e-30] and decimals of twelve digits and more rounded to six.
std::string prose(std::string_view text);

/// The same, made a sentence first (`as_sentence`).
std::string sentence(std::string_view text);

/// Text whose digits all matter: escaped, with true signs, but not rounded.
std::string exact(std::string_view text);

/// A number as `readable_number` spells it, its exponent set as `set_ascii_mathematics` does.
std::string number(double value, int digits = 4);

/// A formula by itself, each line of an `aligned` one on a line of its own, which the page can break. Without KaTeX or
/// without scripts its source is what shows.
std::string display_formula(std::string_view tex);

/// A formula inside a line of text; its source shows as above.
std::string inline_formula(std::string_view tex);

}  // namespace attest::reports::html
