// Checksums put right: what makes a changed file whole again, so that more of its reader is fed than the check of a
// sum.
#pragma once

#include <string>

namespace attest::fuzz {

/// The JSON text with the digest that it then has; as it is where it does not end as an object.
std::string with_json_digest(std::string text);

/// The PNG with the CRC of every chunk that is there whole.
std::string with_png_checksums(std::string bytes);

/// A .zip that holds the bytes, not packed, as its one entry q.npy.
std::string zip_of_one_array(std::string bytes);

/// The checkpoint with its digest, for a training that is described by `belongs_to`; as it is where it cannot be read
/// as arrays.
std::string with_checkpoint_digest(std::string bytes, const std::string& belongs_to);

}  // namespace attest::fuzz
