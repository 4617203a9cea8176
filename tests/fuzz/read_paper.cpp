// libFuzzer: any bytes are read as a paper's file or refused with a PaperProblem.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "theorems/language/papers/paper_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attest::language;
  try {
    read_paper({reinterpret_cast<const char*>(data), size}, "fuzzed.attest");
  } catch (const PaperProblem&) {
    // Refused in one sentence, as it should be.
  }
  return 0;
}
