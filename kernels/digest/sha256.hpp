// SHA-256 (FIPS 180-4), by OpenSSL: what a file or a text is known by.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace attest::digest {

/// Of these bytes: 64 lower-case hexadecimal digits. Errors: std::runtime_error when OpenSSL refuses.
std::string sha256(std::string_view bytes);

/// Of a file's bytes, read in pieces of 64 KiB. Errors: std::runtime_error naming the file when it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace attest::digest
