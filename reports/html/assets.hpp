// The page's own style sheet and script, compiled in from style.css and script.js.
#pragma once

#include <string_view>

namespace attest::reports::html {

std::string_view style_sheet();
std::string_view script();

}  // namespace attest::reports::html
