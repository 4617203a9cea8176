// Text on its way into XML or HTML.
#pragma once

#include <string>
#include <string_view>

namespace attest::reports {

/// True for the characters U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069, which turn the direction of writing
/// and could make what follows read as something else. `character`: one character in UTF-8.
bool is_bidirectional_mark(std::string_view character);

/// `text` as character data or as a quoted attribute value: & < > " ' are escaped, control characters other than tab
/// and line break, which neither XML nor HTML can hold, become U+FFFD, and so do marks that
/// turn the direction of writing and what is not UTF-8.
std::string escaped(std::string_view text);

}  // namespace attest::reports
