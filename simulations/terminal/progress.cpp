#include "simulations/terminal/progress.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace attest::commands {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds quiet_interval{10};  // where nobody watches, a log line now and then is enough
constexpr std::chrono::milliseconds redraw_interval{100};

}  // namespace

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), printed_(start_) {}

Progress::~Progress() {
  if (line_open_) fmt::print(stderr, "\r\033[K");
}

void Progress::update(std::size_t done, std::size_t total, const std::string& what) {
  const auto now = Clock::now();
  const bool last = done == total;
  if (!last && now - printed_ < (terminal_ ? Clock::duration(redraw_interval) : Clock::duration(quiet_interval)))
    return;
  if (last && !terminal_) return;
  printed_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double left = elapsed / static_cast<double>(done) * static_cast<double>(total - done);
  const std::string line = fmt::format("[{}/{}] {}, about {:.0f} s left", done, total, what, left);
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", line);
    line_open_ = true;
  } else {
    fmt::print(stderr, "{}\n", line);
  }
  std::fflush(stderr);
}

}  // namespace attest::commands
