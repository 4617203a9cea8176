// Files of arrays by their ending: .npz or .safetensors.
#pragma once

#include <filesystem>
#include <string>

#include "simulations/arrays/array.hpp"

namespace attest::arrays {

/// Every array of a file. Errors: std::invalid_argument in one sentence naming the file (and the array) when it cannot
/// be read, has another ending, or is not what its ending says.
NamedArrays read_arrays(const std::filesystem::path& file);

/// What a file of this name holds for these arrays. Errors: std::invalid_argument naming the file for another ending,
/// and as npz_bytes and safetensors_bytes.
std::string array_file_bytes(const std::filesystem::path& file, const NamedArrays& arrays);

/// Errors: std::invalid_argument naming the file unless it ends in .npz or .safetensors.
void require_array_file_ending(const std::filesystem::path& file);

}  // namespace attest::arrays
