// Texts as fields of CSV files.
#pragma once

#include <string>
#include <string_view>

namespace attest::reports {

/// The text in quotes, its own quotes doubled (RFC 4180). A spreadsheet would evaluate one that begins with = + - @ or
/// a tab: it gets an apostrophe before it.
std::string csv_quoted(std::string_view text);

/// The same, in quotes only where it holds a comma, a quote or a line break.
std::string csv_field(std::string_view text);

}  // namespace attest::reports
