// Memory handed to code that may write where it should not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace attest::judge {

/// Bytes between two canaries. In the beginning all of it holds the canary's byte.
class GuardedBuffer {
 public:
  explicit GuardedBuffer(std::size_t bytes, std::uint8_t canary)
      : memory_(bytes + 2 * guard, canary), canary_(canary), bytes_(bytes) {}

  char* data() { return reinterpret_cast<char*>(memory_.data()) + guard; }
  const char* data() const { return reinterpret_cast<const char*>(memory_.data()) + guard; }
  std::size_t size() const { return bytes_; }
  std::uint8_t canary() const { return canary_; }
  /// Whether every byte around the buffer is what it was.
  bool intact() const {
    for (std::size_t n = 0; n < guard; ++n)
      if (memory_[n] != canary_ || memory_[guard + bytes_ + n] != canary_) return false;
    return true;
  }

 private:
  static constexpr std::size_t guard = 4096;
  std::vector<std::uint8_t> memory_;
  std::uint8_t canary_;
  std::size_t bytes_;
};

}  // namespace attest::judge
