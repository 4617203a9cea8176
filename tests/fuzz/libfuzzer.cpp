// The same targets for clang's libFuzzer: ATTEST_FUZZ_TARGET=NAME bin/fuzz_library FOLDER_OF_INPUTS.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "tests/fuzz/target.hpp"

namespace attest::fuzz {

// libFuzzer has a limit of its own (-malloc_limit_mb).
std::size_t largest_allocation() { return 0; }
void forget_allocations() {}

}  // namespace attest::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attest::fuzz;
  static const Target target = [] {
    const char* name = std::getenv("ATTEST_FUZZ_TARGET");
    for (Target& each : targets())
      if (name != nullptr && each.name == name) return each;
    std::abort();
  }();
  feed(target, {reinterpret_cast<const char*>(data), size});
  return 0;
}
