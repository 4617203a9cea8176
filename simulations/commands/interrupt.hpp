// Ctrl-C and SIGTERM as a flag that long work polls.
#pragma once

#include <atomic>

namespace attest::commands {

/// Installs handlers for SIGINT and SIGTERM that set the returned flag; a second signal ends the program at once.
const std::atomic<bool>& interrupt_flag();

}  // namespace attest::commands
