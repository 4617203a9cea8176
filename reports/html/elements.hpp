// The small recurring pieces of the page. Everything returned is finished HTML; everything taken is plain text.
#pragma once

#include <string>
#include <string_view>

#include "reports/results.hpp"

namespace attest::reports::html {

/// A claim's place in the page: its id with anything unusual in a fragment replaced by '-'.
std::string anchor(std::string_view id);

/// The verdict as a small label: symbol and name, in the verdict's colour.
std::string badge(Verdict verdict);

/// A formula on a line of its own, or inside a line. Without KaTeX or without scripts its source is what shows.
std::string display_formula(std::string_view tex);
std::string inline_formula(std::string_view tex);

/// Prose with formulas between dollars (or \( and \)); an unpaired dollar is a dollar. Numbers such as 1.5e-07 are set
/// as powers of ten.
std::string prose(std::string_view text);

/// A number as `readable_number` spells it, set as a power of ten where it has an exponent.
std::string number(double value, int digits = 4);

/// A link to a claim of this document by its label; the bare id in code when it is not in the document.
std::string claim_link(const Results& results, std::string_view id);

/// The first words of a claim's title line: label, then title.
std::string full_title(const Claim& claim);

}  // namespace attest::reports::html
