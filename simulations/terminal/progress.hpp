// Progress of long work on standard error: one moving line on a terminal, nothing where nobody watches.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace attest::terminal {

/// Prints "[done/total] what, about 40 s left". Not thread-safe: the caller calls it from one thread at a time.
class Progress {
 public:
  Progress();
  /// Ends the moving line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Clears the moving line, so that something else can be printed; the next update draws it again.
  void clear();
  void update(std::size_t done, std::size_t total, const std::string& what);

 private:
  bool terminal_;
  bool line_open_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point printed_;
};

}  // namespace attest::terminal
