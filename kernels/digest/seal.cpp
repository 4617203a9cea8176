#include "kernels/digest/seal.hpp"

#include <stdexcept>

#include "kernels/digest/sha256.hpp"

namespace attest::digest {
namespace {

constexpr std::string_view key = ",\n \"digest\": \"", end = "\"\n}\n", blanks = " \n\t\r";

}  // namespace

std::string sealed(std::string_view object) {
  const std::size_t brace = object.find_last_not_of(blanks);
  if (brace == std::string_view::npos || object[brace] != '}')
    throw std::invalid_argument("sealed: the text is not a JSON object");
  const std::size_t last = object.find_last_not_of(blanks, brace - 1);
  std::string text(object.substr(0, last + 1));
  const std::string own = sha256(text);
  text += key;
  text += own;
  text += end;
  return text;
}

Seal seal_of(std::string_view text) {
  const std::size_t at = text.rfind(key);
  if (at == std::string_view::npos) return Seal::absent;
  std::string expected(key);
  expected += sha256(text.substr(0, at));
  expected += end;
  return text.substr(at) == expected ? Seal::holds : Seal::broken;
}

}  // namespace attest::digest
