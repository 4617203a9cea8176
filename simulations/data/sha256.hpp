// The digest by which a file is known.
#pragma once

#include <filesystem>
#include <string>

namespace attest::simulations {

/// SHA-256 (FIPS 180-4) of a file's bytes, 64 lower-case hexadecimal digits; by OpenSSL, in pieces of 64 KiB.
/// Errors: std::runtime_error naming the file when it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace attest::simulations
