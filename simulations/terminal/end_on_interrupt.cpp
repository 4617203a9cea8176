#include "simulations/terminal/end_on_interrupt.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/wait.h>

#include "reports/files/replacements.hpp"
#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/interrupt.hpp"

namespace attest::terminal {
namespace {

/// Programs that we started (gnuplot, a browser) have nothing left to do.
void end_children() {
  std::error_code ignored;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
  }
}

}  // namespace

EndOnInterrupt::EndOnInterrupt(std::function<void()> last)
    : watch_([last = std::move(last), &interrupted = interrupt_flag()](const std::stop_token& done) {
        constexpr std::chrono::milliseconds between{50};
        constexpr int moments_of_grace = 10;
        constexpr std::chrono::milliseconds most_for_files{1000};
        for (int seen = 0; !done.stop_requested(); std::this_thread::sleep_for(between)) {
          if (!interrupted || ++seen <= moments_of_grace) continue;
          try {
            last();
          } catch (const std::exception& failure) {
            fmt::print(stderr, "attest: interrupted; {}\n", failure.what());
          }
          end_children();
          reports::stop_replacements(most_for_files);
          std::_Exit(exit_interrupted);
        }
      }) {}

}  // namespace attest::terminal
