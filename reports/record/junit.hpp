// Results as JUnit XML, which every CI system reads.
#pragma once

#include <string>

#include "reports/record/results.hpp"

namespace attest::reports {

/// One test suite per paper, one test case per claim: <error> for the verdict `error`, <failure> when the verdict is
/// not the one on record, a near-miss was not caught or a near-hit does not stand; the run's data are properties of
/// each suite. UTF-8; characters that XML cannot hold are replaced by U+FFFD.
std::string junit_xml(const Results& results);

}  // namespace attest::reports
