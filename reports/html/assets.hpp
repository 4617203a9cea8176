// The page's own style sheet and script, compiled in from style.css and script.js.
#pragma once

#include <string_view>

namespace attest::reports::html {

/// style.css: the CSS of every page.
std::string_view style_sheet();

/// script.js: filters, folding, buttons that copy, and the typesetting of formulas where KaTeX is in the page.
std::string_view script();

}  // namespace attest::reports::html
