// The Python programs that check and repeat evidence, as they stood when this program was built.
#pragma once

#include <string_view>

namespace attest::commands {

/// theorems/evidence/check_evidence.py.
std::string_view evidence_checker();

/// theorems/evidence/repeat_evidence.py.
std::string_view evidence_repeater();

}  // namespace attest::commands
