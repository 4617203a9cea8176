// Memory handed to code that may write where it should not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace attest::judge {

/// Bytes between two canaries.
class GuardedBuffer {
 public:
  explicit GuardedBuffer(std::size_t bytes) : memory_(bytes + 2 * guard, canary), bytes_(bytes) {}

  char* data() { return reinterpret_cast<char*>(memory_.data()) + guard; }
  const char* data() const { return reinterpret_cast<const char*>(memory_.data()) + guard; }
  std::size_t size() const { return bytes_; }
  /// Whether every byte around the buffer is what it was.
  bool intact() const {
    for (std::size_t n = 0; n < guard; ++n)
      if (memory_[n] != canary || memory_[guard + bytes_ + n] != canary) return false;
    return true;
  }

 private:
  static constexpr std::size_t guard = 4096;
  static constexpr std::uint8_t canary = 0xA5;
  std::vector<std::uint8_t> memory_;
  std::size_t bytes_;
};

}  // namespace attest::judge
