// The whole page.
#pragma once

#include <string>

#include "reports/html/katex.hpp"
#include "reports/html/sections.hpp"

namespace attest::reports::html {

/// One HTML document that needs nothing beside itself: style, scripts, fonts and drawings are inside. Without scripts
/// everything can still be read; without KaTeX formulas show as their TeX source.
std::string page(const Results& results, const Drawings& drawings, const Katex& katex);

}  // namespace attest::reports::html
