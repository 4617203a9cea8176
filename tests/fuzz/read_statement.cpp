// libFuzzer: any bytes are read as a statement or refused with a Problem, and what is read reads back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "theorems/language/problem.hpp"
#include "theorems/language/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attest::language;
  try {
    const Statement statement = read_statement({reinterpret_cast<const char*>(data), size});
    if (!same(statement, read_statement(normal_form(statement))) || tex(statement).empty()) std::abort();
  } catch (const Problem&) {
    // Refused in one sentence, as it should be.
  }
  return 0;
}
