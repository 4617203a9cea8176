// A JSON text that carries a digest of itself, so that a change of any byte shows.
#pragma once

#include <string>
#include <string_view>

namespace attest::digest {

/// `object`, the text of a JSON object with at least one member, with a last member "digest": the SHA-256 of all bytes
/// before it. Errors: std::invalid_argument for a text that does not end in '}'.
std::string sealed(std::string_view object);

/// What the digest of a sealed text says.
enum class Seal {
  holds,
  broken,  ///< it is that of another text
  absent,
};
Seal seal_of(std::string_view text);

}  // namespace attest::digest
