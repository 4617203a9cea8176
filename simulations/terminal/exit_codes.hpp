// What the program's exit status says.
#pragma once

namespace attest::terminal {

inline constexpr int exit_success = 0;  ///< done; of verdicts: each is the one recorded
inline constexpr int exit_difference =
    1;  ///< something was found: a verdict that differs, a near-miss that was not refuted, a fault
inline constexpr int exit_usage = 2;          ///< wrong usage or bad input
inline constexpr int exit_io_or_device = 3;   ///< a file could not be written or a device failed
inline constexpr int exit_undecided = 4;      ///< of a statement: neither stands nor refuted
inline constexpr int exit_interrupted = 130;  ///< stopped by the user; what was finished is saved

}  // namespace attest::terminal
