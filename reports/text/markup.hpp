// Text on its way into XML or HTML.
#pragma once

#include <string>
#include <string_view>

namespace attest::reports {

/// `text` as character data or as a quoted attribute value: & < > " ' are escaped, control characters other than tab
/// and line break, which neither XML nor HTML can hold, become U+FFFD, and so does what is not UTF-8.
std::string escaped(std::string_view text);

}  // namespace attest::reports
