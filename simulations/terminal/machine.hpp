// The machine that a program runs on.
#pragma once

#include <string>

namespace attest::terminal {

/// The processor as the system names it; "unknown" where it does not.
std::string processor();

/// Today in UTC, such as 2026-11-23.
std::string today();

}  // namespace attest::terminal
