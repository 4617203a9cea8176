// Files that are being replaced, for a program that ends while other threads write.
#pragma once

#include <chrono>

namespace attest::reports {

/// While it lives, its thread replaces a file by a temporary one (atomic_file.hpp). Where `stop_replacements` was
/// called, none begins any more: the constructor waits for the program's end.
class Replacement {
 public:
  Replacement();
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  Replacement(Replacement&&) = delete;
  Replacement& operator=(Replacement&&) = delete;
};

/// Lets no other thread begin to replace a file, and waits, at most so long, for those that have begun: where they end
/// in that time, std::_Exit leaves no temporary file behind. Not to be called by a thread that replaces one.
void stop_replacements(std::chrono::milliseconds most);

}  // namespace attest::reports
