// A file's bytes, plain or gzip-compressed.
#pragma once

#include <filesystem>
#include <string>

namespace attest::data {

/// The whole content of `path`; a file that begins with the gzip magic (1f 8b) is decompressed, all its members in
/// turn. Errors, naming the file, the byte offset and the fix: files::UnreadableFile; MalformedData when the compressed
/// stream is truncated, damaged or followed by other bytes, or more than 1 GiB would come out.
std::string read_bytes(const std::filesystem::path& path);

}  // namespace attest::data
