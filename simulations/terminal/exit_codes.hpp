// What the program's exit status says.
#pragma once

namespace attest::commands {

inline constexpr int exit_as_recorded = 0;    ///< every verdict is the one recorded in the source
inline constexpr int exit_unexpected = 1;     ///< some verdict differs, or a near-miss was not refuted
inline constexpr int exit_usage = 2;          ///< wrong usage or bad input
inline constexpr int exit_io_or_device = 3;   ///< a file could not be written or a device failed
inline constexpr int exit_interrupted = 130;  ///< stopped by the user; what was finished is saved

}  // namespace attest::commands
