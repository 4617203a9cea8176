// NumPy's .npz format: a zip archive of .npy arrays.
#pragma once

#include <string>
#include <string_view>

#include "simulations/arrays/array.hpp"

namespace attest::arrays {

/// Reads every array of an archive whose entries are stored or deflated. `file` stands for the file in messages.
/// Errors: std::invalid_argument in one sentence naming file and array when the archive is damaged, cut short, has two
/// entries of one name, an entry that is not a .npy array or is encrypted or packed otherwise, and as parse_npy.
NamedArrays parse_npz(std::string_view bytes, const std::string& file);

/// The archive of these arrays, stored, the same bytes for the same arrays. Errors: as npy_bytes, naming the array.
std::string npz_bytes(const NamedArrays& arrays);

}  // namespace attest::arrays
