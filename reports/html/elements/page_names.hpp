// The files that a report consists of, and where in them a statement is.
#pragma once

#include <string>
#include <string_view>

#include "reports/record/results.hpp"

namespace attest::reports::html {

inline constexpr std::string_view index_page_name = "report.html";
inline constexpr std::string_view errata_page_name = "report-errata.html";
inline constexpr std::string_view measurements_page_name = "report-real-input.html";

/// The page of a paper: "report-paper-KEY.html", what is unusual in a file name replaced by '-' and followed by the
/// paper's number. The index where the document has no such paper.
std::string paper_page_name(const Results& results, std::string_view paper);

/// A claim's place in a page: its id with anything unusual in a fragment replaced by '-'.
std::string anchor(std::string_view id);

/// Where the claim stands in full: its paper's page and its anchor there.
std::string address(const Results& results, const Claim& claim);

/// The same from the index, which leads on to it: an address that stays when pages are divided otherwise.
std::string permanent_address(const Claim& claim);

/// `value` as it stands in an address after "?name=": everything but letters, digits, '-', '.' and '_' as %XX.
std::string query_value(std::string_view value);

}  // namespace attest::reports::html
