// Ctrl-C, SIGTERM and SIGUSR1 as a flag that long work polls.
#pragma once

#include <atomic>

namespace attest::terminal {

/// Installs handlers for SIGINT, SIGTERM and SIGUSR1 (which mpirun hands on to its ranks) that set the returned flag; a
/// second signal ends the program at once.
const std::atomic<bool>& interrupt_flag();

}  // namespace attest::terminal
