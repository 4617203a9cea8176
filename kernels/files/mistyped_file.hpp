// Which file somebody may have meant by the path of one that is not there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace attest::files {

/// The path of what `file` was probably meant to be (names::mistyped): a file or folder of another name beside it,
/// which ends in `ending`; empty where there is none.
std::string mistyped_file(const std::filesystem::path& file, std::string_view ending = "");

}  // namespace attest::files
