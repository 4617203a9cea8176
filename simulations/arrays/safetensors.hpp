// The .safetensors format: a JSON header, then the arrays' bytes.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "simulations/arrays/array.hpp"

namespace attest::arrays {

/// Reads every array (F16, BF16, F32, F64, BOOL, I32, I64); `__metadata__` is checked and left out. `file` stands for
/// the file in messages.
/// Errors: std::invalid_argument in one sentence naming file and array when the header is longer than 100 000 000 bytes
/// (the format's limit) or is not such JSON, a name comes twice, an element type is another, extents and offsets do not
/// agree, arrays overlap or leave bytes between or after them, or the file is cut short.
NamedArrays parse_safetensors(std::string_view bytes, const std::string& file);

/// The strings of a file's `__metadata__`; none where there is no such entry. Errors: as parse_safetensors, of the
/// header alone.
std::map<std::string, std::string> safetensors_metadata(std::string_view bytes, const std::string& file);

/// The arrays, those of wider elements first so that each is aligned, then by name; `strings` as `__metadata__`.
/// Errors: std::invalid_argument when an array is called `__metadata__`.
std::string safetensors_bytes(const NamedArrays& arrays, const std::map<std::string, std::string>& strings = {});

}  // namespace attest::arrays
