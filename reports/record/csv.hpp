// Results as CSV, for spreadsheets and data frames.
#pragma once

#include <string>

#include "reports/record/results.hpp"

namespace attest::reports {

/// One row per claim below a header row, after RFC 4180: comma-separated, CRLF line ends, fields quoted where they must
/// be, UTF-8. Numbers keep all their digits; what does not apply is an empty field.
std::string claims_csv(const Results& results);

}  // namespace attest::reports
