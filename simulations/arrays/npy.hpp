// NumPy's .npy format: one array.
#pragma once

#include <string>
#include <string_view>

#include "simulations/arrays/array.hpp"

namespace attest::arrays {

/// Reads an array of format version 1.0 or 2.0: little-endian float16, float32, float64, int32, int64 or bool, in C or
/// Fortran order (the result is in C order). `place` stands for file and array in messages.
/// Errors: std::invalid_argument in one sentence when the magic, version or header is another, the element type is not
/// in the list (pickled objects, big-endian numbers), a boolean is neither 0 nor 1, or bytes are missing or left over.
Array parse_npy(std::string_view bytes, const std::string& place);

/// The array in format version 1.0, C order, its data at a multiple of 64 bytes.
/// Errors: std::invalid_argument for bfloat16, which NumPy does not have.
std::string npy_bytes(const Array& array);

}  // namespace attest::arrays
