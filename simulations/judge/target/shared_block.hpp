// Memory that a child process sees too: arrays travel in it, not through the socket.
#pragma once

#include <cstddef>
#include <string_view>

namespace attest::judge {

/// Grows as it is written to, by either side, and cannot be made smaller. Errors: std::runtime_error when the system
/// has none.
class SharedBlock {
 public:
  SharedBlock();
  SharedBlock(const SharedBlock&) = delete;
  SharedBlock& operator=(const SharedBlock&) = delete;
  ~SharedBlock();

  /// Of the memory, above the numbers that a child gives its own meaning; closed when a program is executed.
  int descriptor() const { return descriptor_; }
  /// Writes the bytes from `offset` on.
  void write(std::size_t offset, std::string_view bytes);
  /// The first `count` bytes, until the next call. Errors: std::invalid_argument when the block is shorter.
  std::string_view read(std::size_t count);

 private:
  void map(std::size_t size);

  int descriptor_ = -1;
  char* memory_ = nullptr;
  std::size_t mapped_ = 0;
};

}  // namespace attest::judge
