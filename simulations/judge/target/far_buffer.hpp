// Address space beyond 2^31 entries, of which only what is written to takes memory.
#pragma once

#include <cstddef>

#include <sys/mman.h>

namespace attest::judge {

/// Zeros until written to. data() is nullptr where the system gives no such address space.
class FarBuffer {
 public:
  explicit FarBuffer(std::size_t bytes)
      : memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)),
        bytes_(bytes) {}
  FarBuffer(const FarBuffer&) = delete;
  FarBuffer& operator=(const FarBuffer&) = delete;
  ~FarBuffer() {
    if (data() != nullptr) munmap(memory_, bytes_);
  }

  char* data() { return memory_ == MAP_FAILED ? nullptr : static_cast<char*>(memory_); }

 private:
  void* memory_;
  std::size_t bytes_;
};

}  // namespace attest::judge
