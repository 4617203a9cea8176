#include "simulations/terminal/end_on_interrupt.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "simulations/terminal/exit_codes.hpp"
#include "simulations/terminal/interrupt.hpp"

namespace attest::terminal {

EndOnInterrupt::EndOnInterrupt(std::function<void()> last)
    : watch_([last = std::move(last), &interrupted = interrupt_flag()](const std::stop_token& done) {
        constexpr std::chrono::milliseconds between{50};
        constexpr int moments_of_grace = 10;
        for (int seen = 0; !done.stop_requested(); std::this_thread::sleep_for(between)) {
          if (!interrupted || ++seen <= moments_of_grace) continue;
          try {
            last();
          } catch (const std::exception& failure) {
            fmt::print(stderr, "attest: interrupted; {}\n", failure.what());
          }
          std::_Exit(exit_interrupted);
        }
      }) {}

}  // namespace attest::terminal
