// The form that filters a page's statements.
#pragma once

#include <string>

#include "reports/record/results.hpp"

namespace attest::reports::html {

/// Search and one choice for each property that differs among `claims`: verdict, paper, kind, wording, and finding
/// where any claim has one. Shown where scripts run; what is chosen stands in the page's address, so that it can be
/// linked to.
std::string filters(const std::vector<const Claim*>& claims);

}  // namespace attest::reports::html
