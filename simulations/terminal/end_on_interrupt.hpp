// An end within a second for work that has nothing more to save and cannot be asked to stop.
#pragma once

#include <functional>
#include <thread>

namespace attest::terminal {

/// While it lives, an interrupt (interrupt.hpp) ends the program with exit code 130 after half a second of grace, in
/// which short work is finished; before that `last` is called, which says what is there. Files that are written
/// atomically are as they were before or as they will be, and no temporary one is left that takes less than a second.
class EndOnInterrupt {
 public:
  explicit EndOnInterrupt(std::function<void()> last);

 private:
  std::jthread watch_;
};

}  // namespace attest::terminal
