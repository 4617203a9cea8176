// What a library's exception says, fit for a sentence of ours.
#pragma once

#include <string>
#include <string_view>

namespace attest::names {

/// The words of an exception of the JSON library without what only its authors need: the tag in brackets before them
/// ("[json.exception.type_error.302] "). Other words stay as they are. A sentence that quotes such an exception quotes
/// it by this (structure.house).
inline std::string plain_reason(std::string_view what) {
  constexpr std::string_view tag = "[json.exception.";
  if (!what.starts_with(tag)) return std::string(what);
  const std::size_t end = what.find("] ");
  return std::string(end == std::string_view::npos ? what : what.substr(end + 2));
}

}  // namespace attest::names
