// The same targets for clang's libFuzzer, which keeps what reaches new code: ATTEST_FUZZ_TARGET=NAME bin/fuzz_library
// FOLDER, where the target's own seeds are put into FOLDER first.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "tests/fuzz/target.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace attest::fuzz {

// libFuzzer has a limit of its own (-malloc_limit_mb).
std::size_t largest_allocation() { return 0; }
void forget_allocations() {}

namespace {

const Target& target() {
  static const Target found = [] {
    const char* name = std::getenv("ATTEST_FUZZ_TARGET");
    for (Target& each : targets())
      if (name != nullptr && each.name == name) return each;
    fmt::print(stderr, "ATTEST_FUZZ_TARGET names no target; fuzz_parsers lists them\n");
    std::exit(2);
  }();
  return found;
}

}  // namespace
}  // namespace attest::fuzz

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  using namespace attest::fuzz;
  for (int i = 1; i < *count; ++i)
    if (std::filesystem::is_directory((*words)[i])) {
      for (std::size_t k = 0; k < target().seeds.size(); ++k)
        std::ofstream(fmt::format("{}/seed-{}", (*words)[i], k), std::ios::binary) << target().seeds[k];
      break;
    }
  return 0;
}

/// Every second input has its checksums and digests put right.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  using namespace attest::fuzz;
  size = LLVMFuzzerMutate(data, size, most);
  if (!target().resealed || seed % 2 == 0) return size;
  const std::string sealed = target().resealed({reinterpret_cast<const char*>(data), size});
  if (sealed.size() > most) return size;
  std::memcpy(data, sealed.data(), sealed.size());
  return sealed.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attest::fuzz;
  feed(target(), {reinterpret_cast<const char*>(data), size});
  return 0;
}
