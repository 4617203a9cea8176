#include "simulations/terminal/progress.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "reports/text/numbers.hpp"

namespace attest::terminal {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds redraw_interval{100};

}  // namespace

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), printed_(start_) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (line_open_) fmt::print(stderr, "\r\033[K");
  line_open_ = false;
}

void Progress::update(std::size_t done, std::size_t total, const std::string& what) {
  if (!terminal_) return;
  const auto now = Clock::now();
  if (done != total && now - printed_ < redraw_interval) return;
  printed_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double left = done == 0 ? 0 : elapsed / static_cast<double>(done) * static_cast<double>(total - done);
  const std::string seconds = left < 10 ? fmt::format("{:.0f} s", left) : reports::readable_seconds(left);
  fmt::print(stderr, "\r\033[K[{}/{}] {}, about {} left", reports::readable_count(static_cast<double>(done)),
             reports::readable_count(static_cast<double>(total)), what, seconds);
  line_open_ = true;
  std::fflush(stderr);
}

}  // namespace attest::terminal
