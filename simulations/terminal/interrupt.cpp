#include "simulations/terminal/interrupt.hpp"

#include <csignal>
#include <mutex>

namespace attest::terminal {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void on_signal(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& interrupt_flag() {
  static std::once_flag installed;
  std::call_once(installed, [] {
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    // mpirun hands this one on to every rank, and Slurm sends it ahead of a time limit when asked to.
    std::signal(SIGUSR1, on_signal);
  });
  return interrupted;
}

}  // namespace attest::terminal
